import type { MessageID } from "../base/ids.ts"
import { noTokens } from "../record/tokens.ts"
import type { History } from "../store/history.ts"
import type { AssistantMessage, MessageWithParts, UserMessage } from "../record/message.ts"
import { finishCalls } from "./step/call-context.ts"
import type { StepDeps, WorkHandles } from "./step/step-input.ts"
import { startPart } from "./step/step-messages.ts"
import type { Delegate } from "../contracts/delegate.ts"
import type { StepContext } from "../request/step-context.ts"
import { type PendingToolPart, runToolCall } from "../tool-call/tool-call.ts"
import { pending } from "../contracts/tool-state.ts"
import type { Write } from "../contracts/storage.ts"
import { type PendingSubtask, SUBTASK, subtasksOf } from "../record/pending-subtask.ts"

/** Prompt for the model after the tasks of a command are done. */
const CONTINUE_PROMPT =
  "Say in short what the subagents above have found or done, and go on with what is left of the work."

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
  const { store } = deps
  const { journal } = run
  const model = task.model ?? user.info.model
  const message: AssistantMessage = {
    ...{ id: store.ids.message(history.messages.at(-1)?.info.id), sessionID: user.info.sessionID, role: "assistant" },
    ...{ parentID: user.info.id, ...model, agent: task.agent, mode: task.agent },
    ...{ path: { cwd: context.workspace.directory, root: context.workspace.worktree }, cost: 0, tokens: noTokens },
    time: { created: store.now() },
  }
  const start = startPart(store, message)
  await journal.commit([
    { type: "message.put", message },
    { type: "part.put", part: start },
  ])
  const { prompt, description, agent } = task
  const input = { description, prompt, subagent_type: agent }
  const id = store.ids.part(start.id)
  const call: PendingToolPart = {
    ...{ id, sessionID: message.sessionID, messageID: message.id, type: "tool", callID: id, tool: "task" },
    ...{ metadata: { [SUBTASK]: index }, state: pending(JSON.stringify(input)) },
  }
  const delegate: Delegate = (from, work, life) =>
    run.delegate(from, task.model ? { ...work, model: task.model } : work, life)
  const outcome = await runToolCall(deps, { ...run, delegate }, context, call)
  journal.stage(finishCalls(store, run, message, [outcome]))
  if (isLast && !run.signal.aborted && !outcome.refusal) journal.stage(continueWrites(store, user, message.id))
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
  const { clientID: _clientID, delivery: _delivery, ...asked } = user.info
  const message: UserMessage = { ...asked, id: ids.message(newest), time: { created: now() } }
  const owner = { id: ids.part(), sessionID: message.sessionID, messageID: message.id }
  return [
    { type: "message.put", message },
    { type: "part.put", part: { ...owner, type: "text", text: CONTINUE_PROMPT, synthetic: true } },
  ]
}
