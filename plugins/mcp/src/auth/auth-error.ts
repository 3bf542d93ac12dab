/**
 * Why an authorization came to nothing. `busy`: another one for the server is under way. `no-browser`: there is nobody to
 * ask. `late`: nobody answered in time. `port`: the port for the answer is taken. `client`: the authorization server knows
 * no client of ours. `unreachable`: it did not answer, or with something else than an answer. `refused`: it answered no.
 * `unsafe`: an address or an answer that is not to be trusted.
 */
export type AuthErrorKind =
  | "busy"
  | "no-browser"
  | "denied"
  | "late"
  | "port"
  | "client"
  | "unreachable"
  | "refused"
  | "unsafe"
  | "file"

/** The message names the server and the next step. Neither it nor its cause holds a token, a code or a secret. */
export class AuthError extends Error {
  override readonly name = "AuthError"
  readonly kind: AuthErrorKind
  readonly server: string
  constructor(kind: AuthErrorKind, server: string, message: string) {
    super(message)
    this.kind = kind
    this.server = server
  }
}
