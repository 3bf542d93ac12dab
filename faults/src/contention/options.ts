import type { SessionID } from "@pawl/core/storage"
import type { Sabotage } from "../subjects/sabotaged.ts"

export interface WriterOptions {
  readonly url: string
  /** Number of this writer, from 1. */
  readonly writer: number
  readonly writes: number
  /** A session that all writers share. */
  readonly shared: SessionID
  /** File that gets a line per write. */
  readonly log: string
  readonly sabotage?: Sabotage
}

export type WriterLine =
  | { readonly sessionID: SessionID; readonly revision: number; readonly milliseconds: number; readonly part: string }
  | { readonly problem: string }
