import type { MessageID } from "../base/ids.ts"
import type { History } from "../store/history.ts"
import type { MessageWithParts, UserMessage } from "../record/message.ts"
import { finishCalls } from "./step/call-context.ts"
import type { StepDeps, WorkHandles } from "./step/step-input.ts"
import type { Delegate } from "../contracts/delegate.ts"
import type { StepContext } from "../request/step-context.ts"
import { runUserCall } from "./user-call.ts"
import type { Write } from "../contracts/storage.ts"
import { type PendingSubtask, SUBTASK, subtasksOf } from "../record/pending-subtask.ts"

/** Prompt for the model after the tasks of a command are done. */
const CONTINUE_PROMPT =
  "Say in short what the subagents above have found or done, and continue what is left of the work."

export interface SubtaskInput extends PendingSubtask {
  readonly context: StepContext
  readonly history: History
}

/** Hands a task of the user's message to its agent, with an ordinary call of the tool `task`. */
export async function runSubtask(
  deps: StepDeps,
  run: WorkHandles,
  { context, history, user, part: task, index, isLast }: SubtaskInput,
): Promise<void> {
  const model = task.model ?? user.info.model
  const { prompt, description, agent } = task
  const input = { description, prompt, subagent_type: agent }
  const delegate: Delegate = (from, work, life) =>
    run.delegate(from, task.model ? { ...work, model: task.model } : work, life)
  const call = { tool: "task", input, metadata: { [SUBTASK]: index } }
  const author = { ...model, agent }
  const { message, outcome } = await runUserCall(deps, { ...run, delegate }, { context, history, user, call, author })
  run.journal.stage(finishCalls(deps.store, run, { message, outcomes: [outcome] }))
  if (isLast && !run.signal.aborted && !outcome.refusal) run.journal.stage(continueWrites(deps.store, user, message.id))
}

/**
 * Returns the writes after a resumed task: if all tasks are done, the same as after tasks that were not interrupted.
 */
export function finishTask(
  deps: Pick<StepDeps["store"], "ids" | "now">,
  { user, messages }: { readonly user: MessageWithParts<UserMessage>; readonly messages: readonly MessageWithParts[] },
  newest: MessageID,
): Write[] {
  const isDone = messages.filter(({ info }) => info.role === "assistant" && info.parentID === user.info.id).length
  return isDone >= subtasksOf(user).length ? continueWrites(deps, user, newest) : []
}

/** Returns the prompt that continues a command: its tasks are only a part of its work. Empty for other tasks. */
function continueWrites(
  { ids, now }: Pick<StepDeps["store"], "ids" | "now">,
  user: MessageWithParts<UserMessage>,
  newest: MessageID,
): Write[] {
  if (!subtasksOf(user).some(({ command }) => command !== undefined)) return []
  const { clientID: _clientID, delivery: _delivery, ...prompt } = user.info
  const message: UserMessage = { ...prompt, id: ids.message(newest), time: { created: now() } }
  const owner = { id: ids.part(), sessionID: message.sessionID, messageID: message.id }
  return [
    { type: "message.put", message },
    { type: "part.put", part: { ...owner, type: "text", text: CONTINUE_PROMPT, synthetic: true } },
  ]
}
