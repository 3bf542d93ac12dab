import type { ModelInfo, Provider } from "@pawl/core"
import { openCodeProvider } from "@pawl/server"

/** Models that a plugin of OpenCode knows of a provider. */
export interface ProviderContribution {
  /** The provider's id. */
  readonly id: string
  /** In place of those that the provider knows. `auth`: what was kept when somebody signed in, in OpenCode's form. */
  models(provider: Provider, auth?: object): Promise<readonly ModelInfo[]>
}

type Fields = Readonly<Record<string, unknown>>
type Models = (provider: object, context: { readonly auth?: object }) => Promise<unknown>

/** The typed form of a plugin's `provider`; undefined where it is none. */
export function providerContribution(given: unknown): ProviderContribution | undefined {
  if (!isFields(given) || typeof given["id"] !== "string") return undefined
  const { id, models } = given as { readonly id: string; readonly models?: Models }
  return {
    id,
    async models(provider, auth) {
      if (!models) return provider.models()
      const told = await models.call(given, await openCodeProvider(provider), auth ? { auth } : {})
      return isFields(told) ? Object.entries(told).flatMap(([name, model]) => modelInfo(name, model) ?? []) : []
    },
  }
}

function modelInfo(name: string, model: unknown): ModelInfo | undefined {
  if (!isFields(model)) return undefined
  const { id, limit, cost, capabilities } = model
  const [limits, prices, can] = [fields(limit), fields(cost), fields(capabilities)]
  const cache = fields(prices["cache"])
  const input = numberOf(limits["input"])
  return {
    id: typeof id === "string" ? id : name,
    name: typeof model["name"] === "string" ? model["name"] : name,
    limit: {
      context: numberOf(limits["context"]),
      output: numberOf(limits["output"]),
      ...(input > 0 ? { input } : {}),
    },
    cost: {
      input: numberOf(prices["input"]),
      output: numberOf(prices["output"]),
      cacheRead: numberOf(cache["read"]),
      cacheWrite: numberOf(cache["write"]),
    },
    capabilities: {
      reasoning: can["reasoning"] === true,
      attachment: can["attachment"] === true,
      toolCall: can["toolcall"] !== false,
    },
  }
}

function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0
}

function fields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null
}
