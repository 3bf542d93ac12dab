import type { LongWork, SessionID } from "@pawl/core/storage"
import type { Dropped } from "./dropped.ts"
import type { PathMapping } from "./path-mapping.ts"
import type { Continuation } from "./restriction.ts"
import type { Outcome } from "./session-writer.ts"

export interface ImportOptions extends LongWork {
  /** Applied to the fields of `sessionWithPaths` and `messageWithPaths`; free text is left alone. */
  readonly paths?: readonly PathMapping[]
  /**
   * `keep` (default): a session that is here already and differs is refused. `new`: all ids are made anew, in the same
   * order and with the same links; the same document gets the same ones again. Of OpenCode's documents as
   * `OpenCodeImportOptions` says.
   */
  readonly ids?: "keep" | "new"
  /**
   * Where the document was written. `elsewhere` (default): it may deny and ask, and what it would allow, or have done, is
   * left out (`dropped`). `here`: pawl itself wrote it to a place of its own, and all of it comes back.
   */
  readonly origin?: "elsewhere" | "here"
  /** How sessions from elsewhere are continued here. Default: in their directory, as the agent `build` or one that does less. */
  readonly continuation?: Continuation
  /** With `ids: "new"`: names one more copy of the same document. */
  readonly copy?: string
}

export interface ImportReport {
  readonly sessions: readonly ImportedSession[]
  readonly messages: number
  readonly parts: number
  readonly blobs: number
  /** What a document from elsewhere is not followed in, of the sessions that were written. */
  readonly dropped: readonly Dropped[]
  /** For people: what was not as expected and did not stand in the way. */
  readonly warnings: readonly string[]
}

export interface ImportedSession {
  readonly id: SessionID
  /** Its id in the document. */
  readonly from: string
  readonly outcome: Outcome
}

/** A session of the document is here already and differs. Nothing was written. */
export class ImportConflictError extends Error {
  override readonly name = "ImportConflictError"
  readonly sessionID: SessionID
  constructor(sessionID: SessionID, nextStep: string) {
    super(`Session ${sessionID} is here already and differs from the document. ${nextStep}`)
    this.sessionID = sessionID
  }
}
