import type { MessageID, SessionID } from "../base/ids.ts"
import type { Budget } from "../budget/budget.ts"
import type { RunLimits } from "../budget/limits.ts"
import type { RunResult } from "./run-result.ts"

/**
 * Runs of sessions, at most one for each session.
 *
 *   start ──create──▶ acquire ──▶ recover ──▶ prepare ──▶ loop ──▶ release ──▶ new prompts? start again
 *     └─ if the session runs: join that run
 */
export interface Runs {
  /**
   * Begins a run, or joins the current one. If the current run only compacts, another run follows it. Rejects with
   * SessionBusyError, before `prepare`, while another process owns the session.
   */
  start(sessionID: SessionID, options?: StartOptions): Promise<RunResult>
  /**
   * Starts or joins a run for a prompt that may wait. If the session runs, in this or another process, `store` puts the
   * prompt where the run's owner finds it. Resolves with `queued` if another process delivers the prompt.
   */
  send(sessionID: SessionID, prompt: WaitingStart): Promise<RunResult>
  /** Aborts the session's run. Resolves when the session is idle. */
  abort(sessionID: SessionID): Promise<void>
  /** Resolves when this engine neither runs the session nor begins another run for its waiting prompts. */
  untilIdle(sessionID: SessionID): Promise<void>
  /** Returns whether this engine runs the session. */
  has(sessionID: SessionID): boolean
  /** Aborts all runs, and rejects new ones. */
  close(): Promise<void>
}

export interface StartOptions {
  /**
   * Stores something for the run to work on. Called once the session is owned and the rest of a dead owner's work is
   * settled. The run answers the stored prompt, unless the run is aborted.
   */
  readonly prepare?: Prepare
  /** Stores a session that is not stored yet. Called before the session is acquired. */
  readonly create?: Prepare
  /** Makes a new run end with the next compaction. */
  readonly only?: "compaction"
  /** Limits of a new run; each one overrides the engine's limit. A joined run keeps its own limits. */
  readonly limits?: RunLimits
  /** Aborts the run when it aborts. */
  readonly signal?: AbortSignal
  /** Budget of the run that this run works for. */
  readonly budget?: Budget
  /** Called on each progress of the sessions below this one. */
  readonly alive?: () => void
  /** Milliseconds to wait for a session that another process owns. Default: 250 */
  readonly waitMs?: number
}

export interface WaitingStart extends Pick<StartOptions, "limits"> {
  readonly prepare: Prepare
  /** Stores the prompt. `isUrgent`: the prompt interrupts the current step. */
  readonly store: () => Promise<{ readonly messageID: MessageID; readonly isUrgent: boolean }>
}

export type Prepare = (run: {
  readonly signal: AbortSignal
  readonly isQueued: boolean
  /** Budget of the run that the prompt belongs to. */
  readonly budget: Budget
  /** Calls `work` after the run's first request was sent. */
  readonly onceRequested: (work: () => void) => void
}) => Promise<void>
