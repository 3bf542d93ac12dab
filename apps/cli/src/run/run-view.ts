import type { DeliveryMode, EngineEvent, LeaseHolder, StoredError } from "@pawl/core"
import type { SummaryFacts } from "../render/summary.ts"
import type { Subagent } from "./family.ts"

/** What ended a run: an error as it is stored, or an end that only the command line knows. */
export type RunError = Omit<StoredError, "name"> & {
  readonly name:
    | StoredError["name"]
    | "EmptyAnswerError"
    | "LimitReachedError"
    | "NotCompactedError"
    | "ProcessEndedError"
}

/** A prompt that was left for the process that works on the session. */
export interface QueuedPrompt {
  readonly sessionID: string
  readonly messageID: string
  readonly mode: DeliveryMode
}

/** What of a run is shown, and how. Gets the events of a session and of those below it. */
export interface RunView {
  /** Whether people read it, who want to be told in words. */
  readonly isForPeople: boolean
  /** `subagent`: whose it is, where it is not of the session itself. */
  handle(event: EngineEvent, subagent?: Subagent): void
  /** A word of the command's own, such as that it is stopping. */
  notice(text: string): void
  /** What ended the run, and for people what to do next, where the error does not name it. */
  error(error: RunError, sessionID: string, hint?: string): void
  /** It is stored, and this process has nothing more to do. */
  queued(prompt: QueuedPrompt): void
  /** Waits for the lease of a process that cannot be seen from here; undefined when the wait is over. Called every second. */
  waiting(sessionID: string, holder: LeaseHolder | undefined): void
  /** Shows the lines of a question, and nothing more until it is answered. */
  ask<T>(lines: readonly string[], answer: () => Promise<T>): Promise<T>
  /** Ends the showing, with the summary where the run came to anything. A second call does nothing. */
  end(facts?: SummaryFacts): void
}
