import type { HookInput, PluginHooks } from "@pawl/core/plugin"
import type { ModelRef } from "@pawl/core/provider"
import { openCodeMessage } from "@pawl/server"
import type { Scene } from "../scene.ts"
import { type ForeignHooks, handlerOf } from "./foreign-hooks.ts"
import { systemBlocks } from "./system-blocks.ts"

type ChatHooks = Pick<
  PluginHooks,
  "chat.params" | "chat.headers" | "chat.system.transform" | "text.complete" | "provider.small_model"
>

/** Hooks around a request to the model. */
export function chatHooks({ models }: Pick<Scene, "models">, hooks: ForeignHooks): ChatHooks {
  const onParams = handlerOf(hooks, "chat.params")
  const onHeaders = handlerOf(hooks, "chat.headers")
  const onSystem = handlerOf(hooks, "experimental.chat.system.transform")
  const onText = handlerOf(hooks, "experimental.text.complete")
  const onSmallModel = handlerOf(hooks, "experimental.provider.small_model")

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
          // What is no number the engine refuses by the hook's name.
          if (value == null) delete draft[name]
          else draft[name] = value
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
    ...(onSmallModel && {
      async "provider.small_model"({ providerID }, draft) {
        const output: { model: unknown } = { model: undefined }
        await onSmallModel({ provider: (await models({ providerID, modelID: "" })).provider }, output)
        if (output.model !== undefined) draft.model = modelRef(output.model)
      },
    }),
    ...(onText && {
      async "text.complete"({ sessionID, messageID, partID }, draft) {
        await onText({ sessionID, messageID, partID }, draft)
      },
    }),
  }
}

/** Of one of the provider's models. */
function modelRef(model: unknown): ModelRef {
  const { providerID, id } = (typeof model === "object" && model !== null ? model : {}) as Record<string, unknown>
  if (typeof providerID !== "string" || typeof id !== "string") {
    throw new TypeError("It left no model: one has a providerID and an id, as those of the provider that it gets.")
  }
  return { providerID, modelID: id }
}
