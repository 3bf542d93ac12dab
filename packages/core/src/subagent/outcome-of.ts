import type { RunResult } from "../run/run-result.ts"
import type { Outcome } from "./outcome.ts"

/** Returns the outcome of a subagent's run, for the call that it worked for. */
export function outcomeOf(result: RunResult, key: string): Outcome {
  if (result.type === "answered") return { key, status: "completed" }
  return { key, status: "failed", reason: reasonOf(result) }
}

function reasonOf(result: Exclude<RunResult, { type: "answered" }>): string {
  switch (result.type) {
    case "failed":
    case "refused":
      return result.error.data.message
    case "aborted":
      return "it was aborted."
    case "empty":
      return "the model ended without an answer."
    case "steps-spent":
      return `it took the ${result.steps} steps that it may take, and its work is not done.`
    case "cost-spent":
      return `the limit of ${result.limit} US dollars was reached.`
    case "tokens-spent":
      return `the limit of ${result.limit} tokens was reached.`
    case "requests-spent":
      return `the limit of ${result.limit} requests was reached.`
    case "deadline-passed":
      return `the deadline of ${result.deadline / 1000} s has passed.`
    case "compacted":
      return "its context was compacted, and a plugin keeps it from going on."
    case "queued":
    case "stored":
    case "idle":
      return "it was given nothing to do."
  }
}
