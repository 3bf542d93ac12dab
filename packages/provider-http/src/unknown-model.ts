import { ProviderError } from "@pawl/core"
import { nearIDs } from "./near-ids.ts"

/** Whether a server says that it has no such model. */
export function isUnknownModel(error: unknown): error is ProviderError {
  if (!(error instanceof ProviderError) || error.kind !== "invalid-request") return false
  const { statusCode, responseBody = "" } = error.details
  return statusCode === 404 ? /model/i.test(responseBody) : saysUnknown.test(responseBody)
}

const saysUnknown =
  /model[_ ]not[_ ]found|model[^"]{0,100}(?:not found|does not exist|not exist)|unknown model|no such model/i

/** The error with the models that may have been meant; the same where none is near. */
export function withNearModels(error: ProviderError, modelID: string, known: readonly string[]): ProviderError {
  if (known.includes(modelID)) return error
  const near = nearIDs(modelID, known)
  const named = near.length > 0 ? near : known.length <= FEW ? known : []
  if (named.length === 0) return error
  return withSentence(error, `${near.length > 0 ? "Did you mean one of these:" : "It has:"} ${named.join(", ")}.`)
}

/** That many are named though none is near. */
const FEW = 10

/** The error with one more sentence for people. */
export function withSentence(error: ProviderError, sentence: string): ProviderError {
  return new ProviderError(error.kind, `${error.message} ${sentence}`, error.details, { cause: error.cause })
}
