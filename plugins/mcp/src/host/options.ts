import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { Guardian } from "@pawl/process-guard"
import type { Approvals, ServerScope } from "../approval/approvals.ts"
import type { OAuthSettings } from "../config/server-config.ts"
import type { Elicit } from "../requests/elicit.ts"

/** A server of a configuration. */
export interface ServerEntry {
  /** In OpenCode's form, with variables filled in. */
  readonly config: unknown
  /** The entry before variables were filled in. Approvals are for this form. Default: `config`. */
  readonly written?: object
  readonly scope: ServerScope
}

export type ServerEntries = Readonly<Record<string, ServerEntry>>

export interface AuthorizedServer {
  readonly name: string
  readonly url: string
  readonly oauth: OAuthSettings | undefined
}

export interface McpOptions {
  readonly servers: ServerEntries
  /** Absolute directory of the project. Local servers run here by default. */
  readonly directory: string
  /** Root of the git worktree. Default: the directory. */
  readonly worktree?: string
  /** Directory whose approvals of a project's servers hold. Default: the directory. */
  readonly approvalDirectory?: string
  /** Directory for approvals, cached listings and logs of servers. */
  readonly dataDirectory: string
  /** Default: a file in the data directory. */
  readonly approvals?: Approvals
  /** Ends local servers if this process dies. The caller closes it. Default: a guardian that ends with the servers. */
  readonly guardian?: Guardian
  /** Environment of local servers, in addition to their own. Default: the safe variables of this process. */
  readonly environment?: Readonly<Record<string, string>>
  /** Returns a fetch that authorizes requests to a remote server, such as an authorizer's `fetchFor`. */
  readonly authFor?: (server: AuthorizedServer, fetch: FetchLike) => FetchLike
  /** Asks the user on behalf of a server outside of a call. Default: such requests are declined. */
  readonly elicit?: Elicit
  /** Names that no server's tool may have, in addition to the names of pawl's own tools. */
  readonly reserved?: readonly string[]
  /** Masks secrets in the output of servers. */
  readonly mask?: (text: string) => string
  /** Milliseconds that a run waits for servers that were never listed. Default: 5 s. Slower servers are added later. */
  readonly waitMs?: number
  readonly clientInfo?: { readonly name: string; readonly version: string }
  /** Returns a number from 0 to 1. */
  readonly random?: () => number
}
