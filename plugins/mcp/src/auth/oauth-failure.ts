import {
  InvalidClientError,
  OAuthError,
  ServerError,
  TemporarilyUnavailableError,
  TooManyRequestsError,
  UnauthorizedClientError,
} from "@modelcontextprotocol/sdk/server/auth/errors.js"

/**
 * `client`: the authorization server does not know the client. `refused`: the grant is not valid any more.
 * `unreachable`: a later attempt may succeed.
 */
export interface OAuthFailure {
  readonly kind: "client" | "refused" | "unreachable"
  /** For users. Contains nothing that was sent or received, because that may include secrets. */
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
    // The SDK throws this for a response that is not an OAuth error. The message begins with the status.
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
  // Such messages quote the response.
  if (error.name === "ZodError" || error instanceof SyntaxError) return "its answer cannot be read"
  return error.message
}
