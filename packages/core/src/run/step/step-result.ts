import type { LimitReached } from "../../budget/limits.ts"
import type { CompactOutcome } from "../../compaction/compact.ts"

/** The end of a run whose session has no final answer. */
export type RunEnd =
  /** The agent may take no more steps, or a limit of the run is reached. What is stored can be continued. */
  | LimitReached
  /** A compaction was asked for, or a plugin stops the run after one. */
  | { readonly type: "compacted"; readonly outcome: CompactOutcome }

/** The result of a step, which decides how the loop continues. */
export type StepResult =
  /** The step was taken: its message is complete, with an answer or an error. */
  | { readonly type: "step" }
  /** The step is still to be taken, with what was committed meanwhile. */
  | { readonly type: "again"; readonly because: AgainReason }
  | { readonly type: "end"; readonly end: RunEnd }

type AgainReason =
  | "wait-aborted"
  | "nudged"
  | "results-cut"
  | "room-made"
  | "files-quarantined"
  | "other-model"
  | "calls-resumed"
  | "subtask-done"
  | "call-done"
  | "reminded"
  | "compaction-interrupted"

export const TAKEN: StepResult = { type: "step" }

export function again(because: AgainReason): StepResult {
  return { type: "again", because }
}

/** Ends the run after a compaction, as a plugin asked. */
export const COMPACTED: StepResult = {
  type: "end",
  end: { type: "compacted", outcome: { type: "applied", goesOn: false } },
}
