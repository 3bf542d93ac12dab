/**
 * Why a request to an MCP server failed. `connection-lost`: the connection ended during the request, which may have
 * taken effect. `refused`: the server answered with an error.
 */
export type McpErrorKind =
  | "unknown-server"
  | "disabled"
  | "not-allowed"
  | "connect-failed"
  | "needs-auth"
  | "needs-client-registration"
  | "connection-lost"
  | "timeout"
  | "refused"

/** The message names the server and the next step. Models read it. */
export class McpServerError extends Error {
  override readonly name = "McpServerError"
  readonly kind: McpErrorKind
  readonly server: string
  constructor(kind: McpErrorKind, server: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
    this.server = server
  }
}

/** Maximum number of characters of a foreign error message. */
const MAX_MESSAGE_LENGTH = 4096

/** Returns the message of a thrown value, with the cause's message if that says more. */
export function wordsOf(error: unknown): string {
  const words = allWordsOf(error)
  return words.length <= MAX_MESSAGE_LENGTH ? words : `${words.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…`
}

function allWordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  if (!(cause instanceof Error) || cause.message === "" || message.includes(cause.message)) return message
  return `${message} (${cause.message})`
}
