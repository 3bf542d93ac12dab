import type { HookInput, PluginHooks } from "@pawl/core"
import { openCodeMessage } from "@pawl/server"
import type { Scene } from "../scene.ts"
import { type ForeignHooks, handlerOf } from "./adapt-hooks.ts"
import { systemBlocks } from "./system-blocks.ts"

type ChatHooks = Pick<PluginHooks, "chat.params" | "chat.headers" | "chat.system.transform" | "text.complete">

/** Hooks around a request to the model. */
export function chatHooks({ models }: Pick<Scene, "models">, hooks: ForeignHooks): ChatHooks {
  const onParams = handlerOf(hooks, "chat.params")
  const onHeaders = handlerOf(hooks, "chat.headers")
  const onSystem = handlerOf(hooks, "experimental.chat.system.transform")
  const onText = handlerOf(hooks, "experimental.text.complete")

  async function about({ sessionID, agent, model, message }: HookInput<"chat.params">) {
    return { sessionID, agent, ...(await models(model)), message: structuredClone(openCodeMessage(message)) }
  }

  return {
    ...(onParams && {
      async "chat.params"(input, draft) {
        const { temperature, topP, topK, maxOutputTokens, options } = draft
        const output = { temperature, topP, topK, maxOutputTokens, options }
        await onParams(await about(input), output)
        for (const name of ["temperature", "topP", "topK", "maxOutputTokens"] as const) {
          const value = output[name]
          if (typeof value === "number") draft[name] = value
          else delete draft[name]
        }
        draft.options = output.options
      },
    }),
    ...(onHeaders && {
      async "chat.headers"(input, draft) {
        await onHeaders(await about(input), draft)
      },
    }),
    ...(onSystem && {
      async "chat.system.transform"({ sessionID, model }, draft) {
        const whole = draft.system.join("\n")
        const output = { system: [whole] }
        await onSystem({ sessionID, model: (await models(model)).model }, output)
        draft.system = systemBlocks(draft.system, whole, output.system)
      },
    }),
    ...(onText && {
      async "text.complete"({ sessionID, messageID, partID }, draft) {
        await onText({ sessionID, messageID, partID }, draft)
      },
    }),
  }
}
