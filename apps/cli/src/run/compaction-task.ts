import { compactionProblem, type RunResult, SessionBusyError } from "@pawl/core"
import { type Ending, endingOf } from "./ending.ts"
import { exitCodes } from "../exit-code.ts"
import { UsageError } from "../arguments/usage-error.ts"
import type { StopReason } from "./stop.ts"
import type { TaskRequest } from "./task-request.ts"

/** Replaces the hint to queue the prompt: a compaction cannot be queued for a running session. */
export function withoutQueue(error: unknown): unknown {
  if (!(error instanceof SessionBusyError)) return error
  const hint = 'It cannot be compacted meanwhile. When its turn is over: pawl run -c "/compact"'
  return Object.assign(error, { hint })
}

/** Throws UsageError for options that cannot be combined with `/compact`. */
export function checkCompaction({ choice, delivery, record, task, agent, model, clientID }: TaskRequest): void {
  if (choice.type === "new") {
    throw new UsageError(
      "There is nothing to compact in a new session.",
      'The newest session of this directory: pawl run -c "/compact". Another one: pawl run -s <id> "/compact"',
    )
  }
  const options = [
    ...[delivery && `--${delivery}`, record && "--record", task?.files?.length ? "-f" : undefined],
    ...[agent && "--agent", model.variant && "--variant", clientID && "--id"],
  ]
  const option = options.find((each) => each !== undefined)
  if (option !== undefined) throw new UsageError(`${option} cannot be used with /compact: it is for a prompt.`)
}

export function compactionEnding(result: RunResult, stopped: StopReason | undefined): Ending {
  if (result.type !== "compacted") return endingOf(result, stopped)
  const message = compactionProblem(result)
  if (message === undefined) return { exitCode: exitCodes.success }
  return { exitCode: exitCodes.failed, error: { name: "NotCompactedError", data: { message } } }
}
