import type { ProviderContribution, StoredAuth } from "@pawl/core/plugin"
import { isFields } from "./fields.ts"
import { readModels, providerForPlugin } from "./provider-for-plugin.ts"

type Models = (provider: object, context: { readonly auth?: StoredAuth }) => Promise<unknown>

/**
 * Returns the typed form of a plugin's `provider`. A value of another form is returned unchanged, and the engine
 * reports it.
 */
export function providerContribution(provider: unknown): ProviderContribution {
  if (!isFields(provider) || typeof provider["id"] !== "string") return provider as ProviderContribution
  const { id, models } = provider as { readonly id: string; readonly models?: Models }
  if (models && typeof models !== "function") return provider as unknown as ProviderContribution
  return {
    id,
    ...(typeof models === "function" && {
      models: async (known, context) =>
        readModels(await models.call(provider, await providerForPlugin(known), context)),
    }),
  }
}
