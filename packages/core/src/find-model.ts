import { within } from "./base/deadlines.ts"
import { NotFoundError, ProviderError } from "./base/errors.ts"
import type { ModelRef } from "./record/message.ts"
import type { Model, Provider } from "./contracts/model.ts"

/**
 * Makes each model once. Rejects with NotFoundError for providers that are not among these, and with ProviderError for
 * one that takes longer than `deadline` milliseconds, 0 being no limit.
 */
export function createModelFinder(providers: readonly Provider[], deadline: number): (ref: ModelRef) => Promise<Model> {
  const models = new Map<string, Promise<Model>>()
  return ({ providerID, modelID }) => {
    const key = `${providerID}/${modelID}`
    const known = models.get(key)
    if (known) return known
    const provider = providers.find(({ id }) => id === providerID)
    if (!provider) {
      const names = providers.map(({ id }) => id).join(", ") || "none"
      return Promise.reject(new NotFoundError(`Provider "${providerID}" is not known. Known: ${names}.`))
    }
    const late = () =>
      new ProviderError("transient", `Provider "${providerID}" did not give "${modelID}" within ${deadline / 1000} s.`)
    const model = within(deadline, provider.model(modelID), late)
    models.set(key, model)
    // A model that could not be made may be there at the next try.
    model.catch(() => models.delete(key))
    return model
  }
}
