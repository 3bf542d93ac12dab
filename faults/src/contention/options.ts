import type { SessionID } from "@pawl/core/storage"
import type { Sabotage } from "../subjects/sabotaged.ts"

export interface WriterOptions {
  readonly url: string
  /** Which of the writers it is, from 1. */
  readonly writer: number
  readonly writes: number
  /** A session that all of them write to. */
  readonly shared: SessionID
  /** The file that gets a line for each write. */
  readonly log: string
  readonly sabotage?: Sabotage
}

export type WriterLine =
  | { readonly sessionID: SessionID; readonly revision: number; readonly milliseconds: number; readonly part: string }
  | { readonly problem: string }
