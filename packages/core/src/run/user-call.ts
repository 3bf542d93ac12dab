import type { JSONObject } from "../base/json.ts"
import { pending } from "../contracts/tool-state.ts"
import type { AssistantMessage, MessageWithParts, ModelRef, ToolPart, UserMessage } from "../record/message.ts"
import type { RequestedCall } from "../record/requested-call.ts"
import { noTokens } from "../record/tokens.ts"
import type { StepContext } from "../request/step-context.ts"
import type { History } from "../store/history.ts"
import { type PendingToolPart, runToolCall, type ToolCallOutcome } from "../tool-call/tool-call.ts"
import { finishCalls } from "./step/call-context.ts"
import type { StepDeps, WorkHandles } from "./step/step-input.ts"
import { startPart } from "./step/step-messages.ts"

/** A call that a message of the user asks for, with what it is made with. */
export interface UserCallInput {
  readonly context: StepContext
  readonly history: History
  readonly user: MessageWithParts<UserMessage>
  readonly call: RequestedCall & { readonly metadata?: ToolPart["metadata"] }
  /** The agent and the model in whose name the call is stored. */
  readonly author: ModelRef & { readonly agent: string }
}

/** The answer that was stored for a call. */
export interface UserCall {
  readonly message: AssistantMessage
  readonly outcome: ToolCallOutcome
}

/** Stores an answer with a call that no model has made, and runs the call. The caller completes the answer. */
export async function runUserCall(
  { store, ...deps }: StepDeps,
  run: WorkHandles,
  { context, history, user, call, author }: UserCallInput,
): Promise<UserCall> {
  const { agent, ...model } = author
  const message: AssistantMessage = {
    id: store.ids.message(history.messages.at(-1)?.info.id),
    sessionID: user.info.sessionID,
    role: "assistant",
    parentID: user.info.id,
    ...model,
    agent,
    mode: agent,
    path: { cwd: context.workspace.directory, root: context.workspace.worktree },
    cost: 0,
    tokens: noTokens,
    time: { created: store.now() },
  }
  const start = startPart(store, message)
  await run.journal.commit([
    { type: "message.put", message },
    { type: "part.put", part: start },
  ])
  const { tool, input, metadata } = call
  const id = store.ids.part(start.id)
  const part: PendingToolPart = {
    id,
    sessionID: message.sessionID,
    messageID: message.id,
    type: "tool",
    callID: id,
    tool,
    ...(metadata ? { metadata } : {}),
    state: pending(JSON.stringify(input satisfies JSONObject)),
  }
  return { message, outcome: await runToolCall({ store, ...deps }, run, context, part) }
}

/** Runs a call that the user asked for. Its answer ends the turn: the model reads the result with the next prompt. */
export async function runRequestedCall(
  deps: StepDeps,
  run: WorkHandles,
  input: Omit<UserCallInput, "author">,
): Promise<void> {
  const { agent, model } = input.user.info
  const { message, outcome } = await runUserCall(deps, run, { ...input, author: { ...model, agent } })
  run.journal.stage(finishCalls(deps.store, run, { message, outcomes: [outcome], finish: "stop" }))
}
