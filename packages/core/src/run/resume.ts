import { requestedCall } from "../record/requested-call.ts"
import { SUBTASK, subtasksOf } from "../record/pending-subtask.ts"
import { finishTask } from "./subtask.ts"
import type { History } from "../store/history.ts"
import type { AssistantMessage, MessageWithParts, ToolPart, UserMessage } from "../record/message.ts"
import { finishCalls } from "./step/call-context.ts"
import type { StepDeps, WorkHandles } from "./step/step-input.ts"
import type { Delegate } from "../contracts/delegate.ts"
import type { StepContext } from "../request/step-context.ts"
import { runToolCall, type UnsettledToolPart } from "../tool-call/tool-call.ts"

export interface Left {
  readonly context: StepContext
  readonly history: History
  readonly user: MessageWithParts<UserMessage>
  readonly message: MessageWithParts<AssistantMessage>
  readonly calls: readonly ToolPart[]
}

/** Continues the calls that a dead owner left, then completes their message. */
export async function resumeCalls(
  deps: StepDeps,
  run: WorkHandles,
  { context, history, user, message, calls }: Left,
): Promise<void> {
  const outcomes = await Promise.all(
    calls.map((part) => {
      const { model } = taskOf(user, part) ?? {}
      const delegate: Delegate = (call, task, life) => run.delegate(call, model ? { ...task, model } : task, life)
      return runToolCall(deps, { ...run, delegate }, context, part as UnsettledToolPart, message.parts)
    }),
  )
  const end = requestedCall(user) ? ({ finish: "stop" } as const) : {}
  run.journal.stage(finishCalls(deps.store, run, { message: message.info, outcomes, ...end }))
  const task = calls.map((part) => taskOf(user, part)).find((each) => each !== undefined)
  const isEnded = run.signal.aborted || outcomes.some(({ refusal }) => refusal)
  if (task && !isEnded) run.journal.stage(finishTask(deps.store, { user, messages: history.messages }, message.info.id))
}

/** Returns the task of the user's message that a call works on. */
function taskOf(user: MessageWithParts, { metadata }: ToolPart) {
  const index = metadata?.[SUBTASK]
  return typeof index === "number" ? subtasksOf(user)[index] : undefined
}
