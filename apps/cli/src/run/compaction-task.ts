import { compactionProblem, type RunResult, SessionBusyError } from "@pawl/core"
import { type Ending, endingOf } from "./ending.ts"
import { exitCodes } from "../exit-code.ts"
import type { StopReason } from "./stop.ts"

/** Replaces the hint to queue the prompt: a compaction cannot be queued for a running session. */
export function withoutQueue(error: unknown): unknown {
  if (!(error instanceof SessionBusyError)) return error
  const hint = 'It cannot be compacted meanwhile. When its turn is over: pawl run -c "/compact"'
  return Object.assign(error, { hint })
}

export function compactionEnding(result: RunResult, stopped: StopReason | undefined): Ending {
  if (result.type !== "compacted") return endingOf(result, stopped)
  const message = compactionProblem(result)
  if (message === undefined) return { exitCode: exitCodes.success }
  return { exitCode: exitCodes.failed, error: { name: "NotCompactedError", data: { message } } }
}
