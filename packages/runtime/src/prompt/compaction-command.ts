import { UsageError } from "@pawl/config/usage-error"
import type { TaskRequest } from "../task-request.ts"
import type { ChosenCommand } from "./find-command.ts"

/** Returns true for the built-in `/compact`, which summarizes the session and sends no prompt. */
export function isCompaction(command: ChosenCommand | undefined): boolean {
  return command?.command.does === "compact"
}

/** Returns the request with its model set for summaries, if the task is a compaction. */
export function summarizing(request: TaskRequest, command: ChosenCommand | undefined): TaskRequest {
  const { model, script } = request.model
  return isCompaction(command) ? { ...request, isSummarizer: model !== undefined || script !== undefined } : request
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
    ...[delivery && `--${delivery}`, record && "--record", task?.files.length ? "-f" : undefined],
    ...[agent && "--agent", model.variant && "--variant", clientID && "--id"],
  ]
  const option = options.find((each) => each !== undefined)
  if (option !== undefined) throw new UsageError(`${option} cannot be used with /compact: it is for a prompt.`)
}
