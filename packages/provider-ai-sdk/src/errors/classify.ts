import type { APICallError } from "@ai-sdk/provider"
import { ProviderError, type ProviderErrorKind } from "@pawl/core/provider"
import { classifyResponse, toProviderError } from "./classify-response.ts"
import { readErrorBody } from "./error-body.ts"
import { type NetworkFailure, networkFailure } from "./network-failure.ts"
import { redact } from "./redact.ts"
import { type ErrorSource, serverName, shownURL } from "./source.ts"

/**
 * Converts an error that an AI SDK language model throws or sends as a part. Returns a ProviderError as it is. Neither
 * message nor details contain a key; the request is not kept.
 */
export function classify(error: unknown, source: ErrorSource = {}): ProviderError {
  if (error instanceof ProviderError) return error
  if (!(error instanceof Error)) return toProviderError({}, readErrorBody(error), source)
  // By name: the class may come from another copy of the package.
  if (error.name === "AI_APICallError") return callError(error as APICallError, source)
  if (error.name === "AI_TypeValidationError") return unexpectedEvent(error, source)

  const own = ownErrors[error.name]
  if (own !== undefined) return own(error, source)
  const failure = networkFailure(error)
  if (failure !== undefined) return networkError(failure, { source, cause: error })
  if (error.message === UNREADABLE_BEGINNING)
    return incomplete("its first event cannot be read", { source, cause: error })
  return toProviderError({}, readErrorBody(error.message), source, error)
}

/** Message of Anthropic's SDK for an unknown first event. */
const UNREADABLE_BEGINNING = "Expected a normalized Anthropic stream error"

type Classifier = (error: Error, source: ErrorSource) => ProviderError

const refused: Classifier = (error, source) =>
  create("invalid-request", `The request cannot be sent: ${sentence(error.message)}`, { source, cause: error })
const brokenOff: Classifier = (error, source) => incomplete(error.message, { source, cause: error })
const late: Classifier = (error, source) =>
  create("transient", `${serverName(source)} did not answer in time.`, { source, cause: error })

/** Errors of the SDK whose name determines the kind. */
const ownErrors: Readonly<Record<string, Classifier>> = {
  IncompleteAnswerError: brokenOff,
  AI_InvalidResponseDataError: brokenOff,
  AI_EmptyResponseBodyError: brokenOff,
  AI_NoContentGeneratedError: brokenOff,
  AI_JSONParseError: (error, source) => incomplete("it holds an event that is not JSON", { source, cause: error }),
  AI_LoadAPIKeyError: (error, source) =>
    create("auth", `${serverName(source)} has no API key: ${sentence(error.message)}`, { source, cause: error }),
  AI_UnsupportedFunctionalityError: refused,
  AI_InvalidPromptError: refused,
  AI_InvalidArgumentError: refused,
  AI_LoadSettingError: refused,
  AI_NoSuchModelError: refused,
  AbortError: late,
  TimeoutError: late,
}

interface Origin {
  readonly source: ErrorSource
  readonly url?: string
  readonly cause: unknown
}

function callError(error: APICallError, source: ErrorSource): ProviderError {
  const { url, statusCode: status, responseHeaders: headers, responseBody: body, cause } = error
  if (cause instanceof ProviderError) return cause
  const origin = { source, url, cause }
  if (status === undefined) {
    const failure = networkFailure(cause)
    return failure === undefined ? unanswered(sentence(error.message), origin) : networkError(failure, origin)
  }
  // For a successful response the SDK keeps no body: it was lost in transit.
  if (status < 400 && body === undefined) {
    return incomplete(networkFailure(cause)?.reason ?? "its body cannot be read", origin)
  }
  return classifyResponse({ url, status, headers, body }, source, cause)
}

function networkError({ stage, reason, nextStep }: NetworkFailure, origin: Origin): ProviderError {
  if (stage === "answering") return incomplete(reason, origin)
  if (stage === "unanswered") return unanswered(`${reason}. ${nextStep}`, origin)
  const server = origin.source.server ?? origin.url
  const place = server === undefined ? serverName(origin.source).replace("The", "the") : shownURL(server)
  return create("transport", `Cannot reach ${place}: ${reason}. ${nextStep}`, origin)
}

// A server may report its failure in a shape that the SDK's schema does not know.
function unexpectedEvent(error: Error, source: ErrorSource): ProviderError {
  const value = "value" in error ? error.value : undefined
  if (reportsError(value)) return toProviderError({}, readErrorBody(value), source)
  return incomplete("it holds an event of an unknown form", { source, cause: error })
}

function reportsError(event: unknown): boolean {
  if (typeof event !== "object" || event === null) return false
  return "error" in event || ("message" in event && typeof event.message === "string" && !("choices" in event))
}

function unanswered(reason: string, origin: Origin): ProviderError {
  return create("transient", `${serverName(origin.source, origin.url)} gave no answer: ${reason}`, origin)
}

function incomplete(reason: string, origin: Origin): ProviderError {
  return create("incomplete-stream", `${serverName(origin.source, origin.url)} broke off: ${sentence(reason)}`, origin)
}

function create(kind: ProviderErrorKind, message: string, { source, cause }: Origin): ProviderError {
  return new ProviderError(kind, redact(message, source.secrets), { providerID: source.providerID }, { cause })
}

function sentence(text: string): string {
  const [line = ""] = text.trim().split("\n", 1)
  return line.endsWith(".") ? line : `${line}.`
}
