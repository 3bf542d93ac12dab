import type { LongWork, SessionID } from "@pawl/core/storage"
import type { Dropped } from "./dropped.ts"
import type { PathMapping } from "./path-mapping.ts"
import type { Continuation } from "./restriction.ts"
import type { Outcome } from "./session-writer.ts"

export interface ImportOptions extends LongWork {
  /** Applied to the fields that `sessionWithPaths` and `messageWithPaths` change. Free text stays unchanged. */
  readonly paths?: readonly PathMapping[]
  /**
   * `keep` (default): refuses a session that exists already and differs. `new`: replaces all ids, in the same order and
   * with the same links; the same document always gets the same new ids. For OpenCode's documents see
   * `OpenCodeImportOptions`.
   */
  readonly ids?: "keep" | "new"
  /**
   * Origin of the document. `elsewhere` (default): its denials and questions are imported; what it would allow or start
   * is dropped. `here`: pawl itself wrote it to one of its own files, so everything is restored.
   */
  readonly origin?: "elsewhere" | "here"
  /**
   * How foreign sessions are continued. Default: in their directory, with the agent `build` or a more restricted one.
   */
  readonly continuation?: Continuation
  /** Used with `ids: "new"`: identifies another copy of the same document. */
  readonly copy?: string
}

export interface ImportReport {
  readonly sessions: readonly ImportedSession[]
  readonly messages: number
  readonly parts: number
  readonly blobs: number
  /** Lists what was dropped from foreign sessions that were written. */
  readonly dropped: readonly Dropped[]
  /** For the user: unexpected details that did not prevent the import. */
  readonly warnings: readonly string[]
}

export interface ImportedSession {
  readonly id: SessionID
  /** The session's id in the document. */
  readonly from: string
  readonly outcome: Outcome
}

/** A session of the document exists already and differs. Nothing was written. */
export class ImportConflictError extends Error {
  override readonly name = "ImportConflictError"
  readonly sessionID: SessionID
  constructor(sessionID: SessionID, nextStep: string) {
    super(`Session ${sessionID} is here already and differs from the document. ${nextStep}`)
    this.sessionID = sessionID
  }
}
