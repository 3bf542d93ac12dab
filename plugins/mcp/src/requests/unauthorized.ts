import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { McpError } from "@modelcontextprotocol/sdk/types.js"
import { McpServerError } from "../errors.ts"

/** Whether the server wants to know who asks, and no token answers that. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof UnauthorizedError || statusOf(error) === 401
}

export function needsAuth(server: string, cause: unknown): McpServerError {
  const text = `The MCP server "${server}" wants to know who asks. Run: pawl mcp auth ${server}`
  return new McpServerError("needs-auth", server, text, { cause })
}

/** Of HTTP. The code of an answer is the server's own, whatever it looks like. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof McpError) return undefined
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === "number" && code >= 100 ? code : undefined
}
