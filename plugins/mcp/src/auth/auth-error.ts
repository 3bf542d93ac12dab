/**
 * Why an authorization failed. `busy`: another authorization of the server is in progress. `no-browser`: no user can be
 * asked. `late`: the user did not answer in time. `port`: the port for the answer is in use. `client`: the
 * authorization server does not know our client. `unreachable`: the authorization server sent no valid answer.
 * `refused`: it refused. `unsafe`: an address or an answer is not trustworthy.
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

/** The message names the server and the next step. The message and the cause contain no token, code or secret. */
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
