import type { Agent } from "../agent.ts"
import type { Hooks } from "../hooks/hooks.ts"
import { maxStepsReminder } from "../prompt/default-prompt.ts"
import type { Model, ModelMessage, ModelRequest } from "../provider/model.ts"
import type { ToolSet } from "../tool/tool-set.ts"
import type { History } from "./history.ts"
import type { MessageWithParts, ModelRef, UserMessage } from "./message.ts"

/** How many tokens of answer are asked for where the model allows more. */
const LONGEST_OUTPUT = 32_000

export interface ContextDeps {
  readonly hooks: Hooks
  readonly modelMessages: (messages: readonly MessageWithParts[], model: ModelRef) => ModelMessage[]
}

export interface ContextInput {
  readonly history: History
  readonly user: UserMessage
  readonly agent: Agent
  readonly model: Model
  readonly tools: ToolSet
  readonly system: readonly string[]
  readonly isLastStep: boolean
  /** No hook is waited for once it aborts. */
  readonly signal: AbortSignal
}

/** What the next model request holds. */
export async function buildContext({ hooks, modelMessages }: ContextDeps, input: ContextInput): Promise<ModelRequest> {
  const { history, user, agent, model, tools, signal } = input
  const sessionID = history.session.id
  const about = { sessionID, agent: agent.name, model: model.ref, message: user }

  const { messages } = hooks.has("chat.messages.transform")
    ? await hooks.transform("chat.messages.transform", { sessionID }, { messages: history.messages as never }, signal)
    : history
  const { system } = await hooks.transform(
    "chat.system.transform",
    { sessionID, model: model.ref },
    { system: user.system ? [...input.system, user.system] : [...input.system] },
    signal,
  )
  const params = {
    ...(agent.temperature === undefined ? {} : { temperature: agent.temperature }),
    ...(agent.topP === undefined ? {} : { topP: agent.topP }),
    ...outputLimit(model.info.limit.output),
    options: {},
  }
  const { options, ...settings } = await hooks.transform("chat.params", about, params, signal)
  const { headers } = await hooks.transform("chat.headers", about, { headers: {} }, signal)

  const converted = modelMessages(messages, model.ref)
  if (input.isLastStep) converted.push({ role: "user", content: [{ type: "text", text: maxStepsReminder }] })
  return {
    sessionID,
    // Providers refuse empty blocks.
    system: system.filter((block) => block.trim() !== ""),
    messages: converted,
    tools: tools.definitions,
    settings: { ...settings, options: options as never },
    headers,
  }
}

function outputLimit(limit: number): { maxOutputTokens?: number } {
  return limit > 0 ? { maxOutputTokens: Math.min(limit, LONGEST_OUTPUT) } : {}
}
