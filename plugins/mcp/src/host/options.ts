import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { Guardian } from "@pawl/process-guard"
import type { Approvals, ServerScope } from "../approval/approvals.ts"
import type { OAuthSettings } from "../config/server-config.ts"
import type { Elicit } from "../requests/elicit.ts"

/** A server as a configuration names it. */
export interface ServerEntry {
  /** In OpenCode's form, variables filled. */
  readonly config: unknown
  /** As it stands in its file, before variables were filled: what an approval is for. Absent: `config`. */
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
  /** The project's, absolute: local servers work here unless told otherwise. */
  readonly directory: string
  /** The git work tree's root; absent: the directory. */
  readonly worktree?: string
  /** For approvals, what servers offered, and what they wrote to standard error. */
  readonly dataDirectory: string
  /** Absent: a file in the data directory. */
  readonly approvals?: Approvals
  /** Ends local servers if this process dies, and stays the caller's. Absent: a guardian that ends with the servers. */
  readonly guardian?: Guardian
  /** What local servers get, besides their own; absent: what every child process may know of this one's. */
  readonly environment?: Readonly<Record<string, string>>
  /** How a remote server is told who asks: gives the fetch that its requests are sent with, such as an authorizer's `fetchFor`. */
  readonly authFor?: (server: AuthorizedServer, fetch: FetchLike) => FetchLike
  /** Asks people what a server wants to know outside of a call; absent: it is declined. */
  readonly elicit?: Elicit
  /** Names that no tool of a server may have, besides those of pawl's own tools. */
  readonly reserved?: readonly string[]
  /** Covers secrets in what servers write. */
  readonly mask?: (text: string) => string
  /** Milliseconds that a run waits for servers of which nothing is known yet; 5 s unless told. They come later then. */
  readonly patience?: number
  readonly clientInfo?: { readonly name: string; readonly version: string }
  /** 0 to 1. */
  readonly random?: () => number
}
