import type { Agent } from "../agents/agent.ts"
import type { Arrange } from "../record/request-order.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { SessionID } from "../base/ids.ts"
import { maxStepsMessage } from "../reminders/max-steps.ts"
import type { Model, ModelMessage, ModelRequest } from "../contracts/model.ts"
import { variantOptions } from "../contracts/variant.ts"
import type { ToolSet } from "../tool-set/tool-set.ts"
import type { PromptTraces } from "../cache/cache-monitor.ts"
import type { History } from "../store/history.ts"
import type { MessageWithParts, ModelRef, UserMessage } from "../record/message.ts"
import { EMPTY_MESSAGE, isSaidToModel } from "./model-messages.ts"
import { withSettings } from "./request-hooks.ts"

export interface ContextDeps {
  readonly hooks: Hooks
  readonly arrange: Arrange
  readonly modelMessages: (messages: readonly MessageWithParts[], model: ModelRef) => ModelMessage[]
  /** Returns the messages with unsupported files replaced by text. */
  readonly fitRequest: (messages: ModelMessage[], model: Model) => ModelMessage[]
}

export interface ContextInput {
  readonly history: Pick<History, "session" | "messages">
  readonly rootSessionID: SessionID
  readonly user: UserMessage
  readonly agent: Agent
  readonly model: Model
  readonly tools: ToolSet
  readonly system: readonly string[]
  readonly isLastStep: boolean
  /** Ends the wait for hooks when it aborts. */
  readonly signal: AbortSignal
}

/** The part of a request that the model reads. */
export type Prompt = Pick<ModelRequest, "system" | "messages" | "tools">

/** Builds the prompt of the next request. */
export async function buildPrompt(
  { hooks, arrange, modelMessages, fitRequest }: ContextDeps,
  input: ContextInput,
  traces?: PromptTraces,
): Promise<Prompt> {
  const { history, rootSessionID, user, agent, model, tools, signal } = input
  const about = { sessionID: history.session.id, rootSessionID, agent: agent.name, model: model.ref }
  const { lead, talk } = arrange(history.messages)
  const arranged = lead.length > 0 ? [...lead, ...talk] : talk
  const { messages } = hooks.has("chat.messages.transform")
    ? await hooks.transform("chat.messages.transform", about, { messages: arranged as never }, signal, traces?.messages)
    : { messages: arranged }
  const { system } = await hooks.transform(
    "chat.system.transform",
    about,
    { system: user.system ? [...input.system, user.system] : [...input.system] },
    signal,
    traces?.system,
  )
  const converted = fitRequest(modelMessages(messages, model.ref), model)
  if (input.isLastStep) converted.push(maxStepsMessage)
  // Providers refuse empty blocks.
  return { system: system.filter((block) => block.trim() !== ""), messages: converted, tools: tools.definitions }
}

/** Builds the request for a prompt. `maxOutputTokens`: limited by the room that the prompt leaves. */
export async function buildRequest(
  { hooks }: Pick<ContextDeps, "hooks">,
  { history, rootSessionID, user, agent, model, signal }: ContextInput,
  prompt: Prompt,
  maxOutputTokens: number,
): Promise<ModelRequest> {
  const sessionID = history.session.id
  const about = { sessionID, rootSessionID, agent: agent.name, model: model.ref, message: user }
  const settings = {
    ...(agent.temperature === undefined ? {} : { temperature: agent.temperature }),
    ...(agent.topP === undefined ? {} : { topP: agent.topP }),
    // If the model's limit is not known, the provider's own limit applies.
    ...(model.info.limit.output > 0 ? { maxOutputTokens } : {}),
    options: { ...variantOptions(model.info, user.variant) },
  }
  const messages = isSaidToModel(prompt.messages.at(-1)) ? prompt.messages : [...prompt.messages, EMPTY_MESSAGE]
  return withSettings(hooks, about, { sessionID, ...prompt, messages, settings, headers: {} }, signal)
}
