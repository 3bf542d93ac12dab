import {
  InvalidClientError,
  OAuthError,
  ServerError,
  TemporarilyUnavailableError,
  TooManyRequestsError,
  UnauthorizedClientError,
} from "@modelcontextprotocol/sdk/server/auth/errors.js"

/**
 * What an authorization server meant. `client`: it does not know the client. `refused`: what was asked with is of no use any
 * more. `unreachable`: asked again later, it may say something else.
 */
export interface OAuthFailure {
  readonly kind: "client" | "refused" | "unreachable"
  /** For people: without what was sent or received, which may hold secrets. */
  readonly words: string
}

export function toOAuthFailure(error: unknown): OAuthFailure {
  if (error instanceof InvalidClientError || error instanceof UnauthorizedClientError) {
    return { kind: "client", words: error.errorCode }
  }
  if (error instanceof TooManyRequestsError || error instanceof TemporarilyUnavailableError) {
    return { kind: "unreachable", words: error.errorCode }
  }
  if (error instanceof ServerError) {
    // Made up by the client of the protocol where an answer is none of OAuth's; the status stands at its beginning.
    const status = /^HTTP \d{3}/.exec(error.message)?.[0]
    return { kind: "unreachable", words: status ?? error.errorCode }
  }
  if (error instanceof OAuthError) return { kind: "refused", words: error.errorCode.slice(0, 60) }
  return { kind: "unreachable", words: wordsOf(error) }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return "it failed"
  if (error.name === "TimeoutError") return "it did not answer in time"
  const { code } = (error.cause ?? {}) as { readonly code?: unknown }
  if (typeof code === "string") return code
  // What cannot be parsed is quoted in such messages.
  if (error.name === "ZodError" || error instanceof SyntaxError) return "its answer cannot be read"
  return error.message
}
