/**
 * The configuration that names a server. A server from a project's configuration is untrusted until a user allows it.
 */
export type ServerScope = "user" | "project"

export interface ServerKey {
  readonly name: string
  readonly scope: ServerScope
  /** Absolute path of the project. */
  readonly directory: string
}

/** `changed`: an earlier configuration of the server was allowed. */
export type ApprovalState = "allowed" | "unknown" | "changed"

/** Hashes of tools by tool name. */
export type ToolHashes = Readonly<Record<string, string>>

/** Stored approvals. Read again each time, because another process may have changed them. */
export interface Approvals {
  /** `hash` covers everything that decides what is started or reached. */
  state(server: ServerKey, hash: string): Promise<ApprovalState>
  /** Returns the tools that were allowed with the server; undefined if none have been listed yet. */
  tools(server: ServerKey, hash: string): Promise<ToolHashes | undefined>
  /** Replaces earlier approvals of the server. */
  allow(server: ServerKey, hash: string, tools?: ToolHashes): Promise<void>
  forget(server: ServerKey): Promise<void>
}
