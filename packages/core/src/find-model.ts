import { within } from "./base/deadlines.ts"
import { NotFoundError, ProviderError } from "./base/errors.ts"
import type { ModelRef } from "./record/message.ts"
import type { Model, Provider } from "./contracts/model.ts"

/**
 * Returns a function that makes each model once. It rejects with NotFoundError for an unknown provider, and with
 * ProviderError if the provider takes longer than `deadline` milliseconds. 0: no limit.
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
    // A model that could not be made may be available at the next attempt.
    model.catch(() => models.delete(key))
    return model
  }
}
