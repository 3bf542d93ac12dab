/**
 * Why something asked of an MCP server came to nothing. `connection-lost`: it ended while it worked on it, and whether it
 * took effect is unknown. `refused`: the server answered with an error.
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

/** What failed with an MCP server. The message names the server and the next step; models read it. */
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

/** Characters of what somebody else says went wrong. */
const MOST_WORDS = 4096

/** The words of a thrown value, and of what caused it where that says more. */
export function wordsOf(error: unknown): string {
  const words = allWordsOf(error)
  return words.length <= MOST_WORDS ? words : `${words.slice(0, MOST_WORDS).toWellFormed()}…`
}

function allWordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  if (!(cause instanceof Error) || cause.message === "" || message.includes(cause.message)) return message
  return `${message} (${cause.message})`
}
