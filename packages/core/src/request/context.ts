import { maxStepsMessage } from "../reminders/max-steps.ts"
import type { ModelRequest } from "../contracts/model.ts"
import { variantOptions } from "../contracts/variant.ts"
import type { PromptTraces } from "../cache/cache-monitor.ts"
import type { History } from "../store/history.ts"
import type { UserMessage } from "../record/message.ts"
import { EMPTY_MESSAGE, isSaidToModel } from "./model-messages.ts"
import type { RequestDeps } from "./request-deps.ts"
import { withSettings } from "./request-hooks.ts"
import type { StepContext } from "./step-context.ts"

export interface RequestInput {
  readonly context: Pick<StepContext, "rootSessionID" | "agent" | "model" | "tools" | "system">
  readonly history: Pick<History, "session" | "messages">
  readonly user: UserMessage
  readonly isLastStep: boolean
  /** Ends the wait for hooks when it aborts. */
  readonly signal: AbortSignal
}

/** The part of a request that the model reads. */
export type Prompt = Pick<ModelRequest, "system" | "messages" | "tools">

/** Builds the prompt of the next request. */
export async function buildPrompt(
  { hooks, requests }: RequestDeps,
  input: RequestInput,
  traces?: PromptTraces,
): Promise<Prompt> {
  const { context, history, user, signal } = input
  const { rootSessionID, agent, model, tools } = context
  const about = { sessionID: history.session.id, rootSessionID, agent: agent.name, model: model.ref }
  const { lead, talk } = requests.arrange(history.messages)
  const arranged = lead.length > 0 ? [...lead, ...talk] : talk
  const { messages } = hooks.has("chat.messages.transform")
    ? await hooks.transform("chat.messages.transform", about, { messages: arranged as never }, signal, traces?.messages)
    : { messages: arranged }
  const { system } = await hooks.transform(
    "chat.system.transform",
    about,
    { system: user.system ? [...context.system, user.system] : [...context.system] },
    signal,
    traces?.system,
  )
  const converted = requests.fitRequest(requests.modelMessages(messages, model.ref), model)
  if (input.isLastStep) converted.push(maxStepsMessage)
  // Providers refuse empty blocks.
  return { system: system.filter((block) => block.trim() !== ""), messages: converted, tools: tools.definitions }
}

/** Builds the request for a prompt. `maxOutputTokens`: limited by the room that the prompt leaves. */
export async function buildRequest(
  { hooks }: Pick<RequestDeps, "hooks">,
  { context: { rootSessionID, agent, model }, history, user, signal }: RequestInput,
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
