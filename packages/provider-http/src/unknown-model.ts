import { ProviderError } from "@pawl/core/provider"
import { nearIDs } from "./near-ids.ts"

/** Returns true if a server reports an unknown model. */
export function isUnknownModel(error: unknown): error is ProviderError {
  if (!(error instanceof ProviderError) || error.kind !== "invalid-request") return false
  const { statusCode, responseBody = "" } = error.details
  return statusCode === 404 ? /model/i.test(responseBody) : saysUnknown.test(responseBody)
}

const saysUnknown =
  /model[_ ]not[_ ]found|model[^"]{0,100}(?:not found|does not exist|not exist)|unknown model|no such model/i

/** Adds similar models to the error, if there are any. */
export function withNearModels(error: ProviderError, modelID: string, known: readonly string[]): ProviderError {
  if (known.includes(modelID)) return error
  const near = nearIDs(modelID, known)
  const named = near.length > 0 ? near : known.length <= MAX_LISTED ? known : []
  if (named.length === 0) return error
  return withSentence(error, `${near.length > 0 ? "Did you mean one of these:" : "It has:"} ${named.join(", ")}.`)
}

/** Up to this number, all known models are listed if no similar one exists. */
const MAX_LISTED = 10

export function withSentence(error: ProviderError, sentence: string): ProviderError {
  return new ProviderError(error.kind, `${error.message} ${sentence}`, error.details, { cause: error.cause })
}
