export { createMcp, type Mcp } from "./host/mcp.ts"
export { mcpPlugin } from "./host/mcp-plugin.ts"
export type { DebugReport, McpControl, ServerReport, ToolReport } from "./host/control.ts"
export type { AuthorizedServer, McpOptions, ServerEntries, ServerEntry } from "./host/options.ts"
export type { ServerStatus } from "./server/status.ts"
export type { ApprovalState, Approvals, ServerKey, ServerScope, ToolHashes } from "./approval/approvals.ts"
export { createFileApprovals } from "./approval/file-approvals.ts"
export { importMcpJson, type ImportedServer, type ImportedServers } from "./config/mcp-json.ts"
export { readServer, type ReadServer } from "./config/read-servers.ts"
export type { ConfigProblem, LocalServer, OAuthSettings, RemoteServer, ServerConfig } from "./config/server-config.ts"
export type { Timeouts } from "./config/timeouts.ts"
export type { AskOptions } from "./auth/ask-user.ts"
export { AuthError, type AuthErrorKind } from "./auth/auth-error.ts"
export {
  type AuthorizableServer,
  type AuthorizationState,
  type Authorizer,
  type AuthorizerOptions,
  createAuthorizer,
  type LoggedOut,
} from "./auth/authorizer.ts"
export { McpServerError, type McpErrorKind } from "./errors.ts"
export type { CallContext } from "./requests/call-context.ts"
export type { Elicit, ElicitAnswer, ElicitRequest } from "./requests/elicit.ts"
export type { FormValue } from "./requests/form.ts"
export type { ListedTool } from "./listing/listing.ts"
