import { McpServerError } from "../errors.ts"

/** Whether a server refused a request without beginning with it: it had forgotten the session, or wants a new token. */
export function isUntaken(error: unknown): boolean {
  if (!(error instanceof McpServerError)) return false
  if (error.kind === "needs-auth") return true
  if (error.kind !== "connection-lost") return false
  const { code, message } = (error.cause ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  // 404 is what the protocol says; some servers answer 400 with words.
  return code === 404 || (code === 400 && typeof message === "string" && /session/i.test(message))
}
