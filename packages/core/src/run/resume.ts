import { SUBTASK, subtasksOf } from "../record/pending-subtask.ts"
import { finishTask } from "./subtask.ts"
import type { History } from "../store/history.ts"
import type { AssistantMessage, MessageWithParts, ToolPart, UserMessage } from "../record/message.ts"
import { callContext, finishCalls } from "./step/call-context.ts"
import type { StepDeps, StepScene } from "./step/step-input.ts"
import { runToolCall, type UnsettledToolPart } from "../tool-call/tool-call.ts"

export interface Left {
  readonly history: History
  readonly user: MessageWithParts<UserMessage>
  readonly message: MessageWithParts<AssistantMessage>
  readonly calls: readonly ToolPart[]
}

/** Continues the calls that a dead owner left, then completes their message. */
export async function resumeCalls(
  deps: StepDeps,
  scene: Omit<StepScene, "inAdvance" | "cacheLedger" | "onEnd">,
  { history, user, message, calls }: Left,
): Promise<void> {
  const around = callContext(deps, scene, history)
  const outcomes = await Promise.all(
    calls.map((part) => {
      const { model } = taskOf(user, part) ?? {}
      const delegate: typeof scene.delegate = (call, task, life) =>
        scene.delegate(call, model ? { ...task, model } : task, life)
      return runToolCall(deps, { ...scene, ...around, delegate }, part as UnsettledToolPart, message.parts)
    }),
  )
  scene.journal.stage(finishCalls(deps, scene, message.info, outcomes))
  const task = calls.map((part) => taskOf(user, part)).find((each) => each !== undefined)
  const isEnded = scene.signal.aborted || outcomes.some(({ refusal }) => refusal)
  if (task && !isEnded) scene.journal.stage(finishTask(deps, { user, messages: history.messages }, message.info.id))
}

/** Returns the task of the user's message that a call works on. */
function taskOf(user: MessageWithParts, { metadata }: ToolPart) {
  const index = metadata?.[SUBTASK]
  return typeof index === "number" ? subtasksOf(user)[index] : undefined
}
