import type { DeliveryMode, EngineEvent } from "@pawl/core"
import type { StoredError } from "@pawl/core/record"
import type { LeaseHolder } from "@pawl/core/storage"
import type { SummaryFacts } from "@pawl/terminal-text/summary"
import type { Subagent } from "@pawl/runtime/run/subagent-tracker"

/** The error that ended a run: a stored one, or one that only the command line has. */
export type RunError = Omit<StoredError, "name"> & {
  readonly name:
    | StoredError["name"]
    | "EmptyAnswerError"
    | "LimitReachedError"
    | "NotCompactedError"
    | "ProcessEndedError"
}

/** A prompt that was queued for the process that runs the session. */
export interface QueuedPrompt {
  readonly sessionID: string
  readonly messageID: string
  readonly mode: DeliveryMode
}

/** Shows a run. Gets the events of the session and its child sessions. */
export interface RunView {
  /** Set if the view prints text for a user, and not JSON. */
  readonly isForPeople: boolean
  /** Shows an event. `subagent` is set for an event of a child session. */
  handle(event: EngineEvent, subagent?: Subagent): void
  /** Shows a message of the command itself, such as that it is stopping. */
  notice(text: string): void
  /**
   * Shows the error that ended the run. `hint` says what to do next if the error does not. `sessionID` is undefined before
   * the session is known.
   */
  error(error: RunError, sessionID: string | undefined, hint?: string): void
  /** Shows that the prompt is stored and this process is done. */
  queued(prompt: QueuedPrompt): void
  /** Shows the wait for the lease of a process that is not visible from here. Called every second, and with undefined when the wait is over. */
  waiting(sessionID: string, holder: LeaseHolder | undefined): void
  /** Shows the lines of a question, then nothing else until it is answered. */
  ask<T>(lines: readonly string[], answer: () => Promise<T>): Promise<T>
  /** Ends the view, with a summary if the run stored anything. A second call does nothing. */
  end(facts?: SummaryFacts): void
}
