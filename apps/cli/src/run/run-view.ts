import type { EngineEvent, StoredError } from "@pawl/core"
import type { SummaryFacts } from "../render/summary.ts"

/** What of a run is shown, and how. Gets the events of one session. */
export interface RunView {
  handle(event: EngineEvent): void
  /** A word of the command's own, such as that it is stopping. */
  notice(text: string): void
  /** What ended the run, and for people what to do next, where the error does not name it. */
  error(error: StoredError, sessionID: string, hint?: string): void
  /** Shows the lines of a question, and nothing more until it is answered. */
  ask<T>(lines: readonly string[], answer: () => Promise<T>): Promise<T>
  /** Ends the showing, with the summary where the run came to anything. A second call does nothing. */
  end(facts?: SummaryFacts): void
}
