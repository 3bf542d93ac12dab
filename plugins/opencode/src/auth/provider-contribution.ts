import type { ProviderContribution, StoredAuth } from "@pawl/core/plugin"
import { isFields } from "./fields.ts"
import { readModels, toldProvider } from "./told-provider.ts"

type Models = (provider: object, context: { readonly auth?: StoredAuth }) => Promise<unknown>

/** The typed form of a plugin's `provider`; undefined where it is none. */
export function providerContribution(given: unknown): ProviderContribution | undefined {
  if (!isFields(given) || typeof given["id"] !== "string") return undefined
  const { id, models } = given as { readonly id: string; readonly models?: Models }
  return {
    id,
    ...(typeof models === "function" && {
      models: async (provider, context) => readModels(await models.call(given, await toldProvider(provider), context)),
    }),
  }
}
