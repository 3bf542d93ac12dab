import type { KnownProvider, ModelInfo } from "@pawl/core/provider"
import { type OpenCodeProvider, openCodeProvider } from "@pawl/server"
import { type Fields, isFields } from "./fields.ts"

/** A provider as plugins of OpenCode are told of it; theirs to change. */
export function toldProvider({ id, name, models }: KnownProvider): Promise<OpenCodeProvider> {
  return openCodeProvider({ id, name, models: async () => models })
}

/** The models of an object by id, as far as they can be read. */
export function readModels(models: unknown): readonly ModelInfo[] {
  return isFields(models) ? Object.entries(models).flatMap(([name, model]) => modelInfo(name, model) ?? []) : []
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
