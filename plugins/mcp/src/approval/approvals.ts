/** Whose configuration names a server. A project's is somebody else's word until a person allows it. */
export type ServerScope = "user" | "project"

export interface ServerKey {
  readonly name: string
  readonly scope: ServerScope
  /** Of the project, absolute. */
  readonly directory: string
}

/** `changed`: another content of the same server was allowed before. */
export type ApprovalState = "allowed" | "unknown" | "changed"

/** Hashes of tools by their names. */
export type ToolHashes = Readonly<Record<string, string>>

/** What people allowed. Read again each time: another process may have been told. */
export interface Approvals {
  /** `hash` is of all that decides what is started or reached. */
  state(server: ServerKey, hash: string): Promise<ApprovalState>
  /** The tools that were allowed with it; undefined: none were seen yet. */
  tools(server: ServerKey, hash: string): Promise<ToolHashes | undefined>
  /** Takes the place of what was allowed of that server before. */
  allow(server: ServerKey, hash: string, tools?: ToolHashes): Promise<void>
  forget(server: ServerKey): Promise<void>
}
