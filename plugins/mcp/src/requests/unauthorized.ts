import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { McpError } from "@modelcontextprotocol/sdk/types.js"
import { McpServerError } from "../errors.ts"

/** Returns true if the server requires authorization and no valid token is available. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof UnauthorizedError || statusOf(error) === 401
}

export function needsAuth(server: string, cause: unknown): McpServerError {
  const text = `The MCP server "${server}" requires authorization. Run: pawl mcp auth ${server}`
  return new McpServerError("needs-auth", server, text, { cause })
}

/** Returns the HTTP status. A JSON-RPC error code is not a status, even if it looks like one. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof McpError) return undefined
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === "number" && code >= 100 ? code : undefined
}
