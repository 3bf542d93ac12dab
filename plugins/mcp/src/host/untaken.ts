import { McpServerError } from "../errors.ts"

/**
 * Returns true if the server refused a request without starting it: it has forgotten the session or requires a new
 * token.
 */
export function isUntaken(error: unknown): boolean {
  if (!(error instanceof McpServerError)) return false
  if (error.kind === "needs-auth") return true
  if (error.kind !== "connection-lost") return false
  const { code, message } = (error.cause ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  // The protocol requires 404, but some servers answer 400 with a message.
  return code === 404 || (code === 400 && typeof message === "string" && /session/i.test(message))
}
