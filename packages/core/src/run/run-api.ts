import type { MessageID, SessionID } from "../base/ids.ts"
import type { Budget } from "../budget/budget.ts"
import type { RunLimits } from "../budget/limits.ts"
import type { RunResult } from "./run-result.ts"

/** One run for each session.
 *
 *   start ──create──▶ acquire ──▶ recover ──▶ prepare ──▶ loop ──▶ release ──▶ has anything come? start again
 *     └─ a run is under way: join it
 */
export interface Runs {
  /**
   * Begins a run, or joins the one under way; where that one only compacts, another follows it. Rejects with
   * SessionBusyError, before `prepare`, while another process owns the session.
   */
  start(sessionID: SessionID, options?: StartOptions): Promise<RunResult>
  /**
   * The same for a prompt that may wait: where a run is under way, here or in another process, `store` puts it where its
   * owner finds it. Resolves with `queued` where another process goes on with it.
   */
  send(sessionID: SessionID, prompt: WaitingStart): Promise<RunResult>
  /** Resolves when the session is idle. */
  abort(sessionID: SessionID): Promise<void>
  /** Whether a run is under way here. */
  has(sessionID: SessionID): boolean
  /** Aborts all, and begins none any more. */
  close(): Promise<void>
}

export interface StartOptions {
  /**
   * Stores something for the run to work on: once the session is owned and what a dead owner left is settled. What it
   * stores is answered, unless the run is aborted.
   */
  readonly prepare?: Prepare
  /** The same for a session that is not stored yet: stores it before it is acquired. */
  readonly create?: Prepare
  /** A run that begins ends with the next compaction. */
  readonly only?: "compaction"
  /** Of a run that begins, limit by limit, before the engine's own; one that is joined keeps its own. */
  readonly limits?: RunLimits
  /** Aborts the run. */
  readonly signal?: AbortSignal
  /** Of the run that this one works for. */
  readonly budget?: Budget
  /** Called with each sign of life of what lies below the session. */
  readonly alive?: () => void
  /** Milliseconds that a session which another process owns is waited for; absent: a moment. */
  readonly patience?: number
}

export interface WaitingStart extends Pick<StartOptions, "limits"> {
  readonly prepare: Prepare
  /** `isUrgent`: it takes the place of what is under way. */
  readonly store: () => Promise<{ readonly messageID: MessageID; readonly isUrgent: boolean }>
}

export type Prepare = (run: {
  readonly signal: AbortSignal
  readonly isQueued: boolean
  /** Of the run that the prompt belongs to. */
  readonly budget: Budget
  /** Has `work` done once the run's first request has left. */
  readonly onceRequested: (work: () => void) => void
}) => Promise<void>
