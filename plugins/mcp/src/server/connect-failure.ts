import { McpServerError, wordsOf } from "../errors.ts"
import { isUnauthorized, needsAuth, statusOf } from "../requests/unauthorized.ts"

/**
 * Returns true if a server that refused Streamable HTTP may support the older transport. Authorization errors do not
 * count.
 */
export function isUnsupported(error: unknown): boolean {
  const status = statusOf(error instanceof McpServerError ? error.cause : error)
  return status !== undefined && status >= 400 && status < 500 && ![401, 403, 407, 429].includes(status)
}

/**
 * Builds the error of a failed connection. `ending` describes how a process ended, such as `: it exited with code 1`.
 */
export function connectFailure(server: string, error: unknown, ending: string): McpServerError {
  if (error instanceof McpServerError) return error
  const words = wordsOf(error)
  if (isUnauthorized(error)) return needsAuth(server, error)
  if (/dynamic client registration/i.test(words)) {
    const text = `The MCP server "${server}" registers no clients by itself. Set mcp.${server}.oauth.clientId.`
    return new McpServerError("needs-client-registration", server, text, { cause: error })
  }
  const text = `The MCP server "${server}" could not be connected${ending}: ${words}. See: pawl mcp debug ${server}`
  return new McpServerError("connect-failed", server, text, { cause: error })
}
