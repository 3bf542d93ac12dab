import type { ProviderContribution, StoredAuth } from "@pawl/core/plugin"
import { isFields } from "./fields.ts"
import { readModels, toldProvider } from "./told-provider.ts"

type Models = (provider: object, context: { readonly auth?: StoredAuth }) => Promise<unknown>

/** The typed form of a plugin's `provider`. Values of another form stay as they are, and the engine reports them. */
export function providerContribution(given: unknown): ProviderContribution {
  if (!isFields(given) || typeof given["id"] !== "string") return given as ProviderContribution
  const { id, models } = given as { readonly id: string; readonly models?: Models }
  if (models && typeof models !== "function") return given as unknown as ProviderContribution
  return {
    id,
    ...(typeof models === "function" && {
      models: async (provider, context) => readModels(await models.call(given, await toldProvider(provider), context)),
    }),
  }
}
