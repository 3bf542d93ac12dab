import type { Budget } from "../budget/budget.ts"
import type { Delegate } from "../contracts/delegate.ts"
import type { Generator } from "../generate/generate.ts"
import type { Journal } from "../store/journal.ts"

/** Handles through which a step writes, asks models and subagents, and is ended. */
export interface RunHandles {
  readonly journal: Journal
  readonly budget: Budget
  /** Makes a subagent do the work of a call. */
  readonly delegate: Delegate
  /** Makes the session's model answer a call. */
  readonly generator: Generator
  readonly signal: AbortSignal
}
