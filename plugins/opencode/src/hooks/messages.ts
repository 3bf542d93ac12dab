import type { PluginHooks, PluginInput } from "@pawl/core/plugin"
import type { MessageWithParts, SessionID } from "@pawl/core/record"
import type { Scene } from "../scene.ts"
import { type Seen, seenMessages } from "../shapes/written-messages.ts"
import { type ForeignHooks, handlerOf } from "./foreign-hooks.ts"
import { promptParts } from "./prompt-parts.ts"

type MessageHooks = Pick<PluginHooks, "chat.message" | "chat.messages.transform" | "command.execute.before">

/** Hooks that change messages and their parts. */
export function messageHooks(scene: Scene, hooks: ForeignHooks, notice: PluginInput["notice"]): MessageHooks {
  const { ids, host } = scene
  const onMessage = handlerOf(hooks, "chat.message")
  const onMessages = handlerOf(hooks, "experimental.chat.messages.transform")
  const onCommand = handlerOf(hooks, "command.execute.before")

  function seen(sessionID: SessionID, messages: readonly MessageWithParts[]): Seen {
    const report = (subject: string, message: string) => notice(`${subject}: ${message}`, sessionID)
    return seenMessages({ ids, directory: host.directory, sessionID, report }, messages)
  }

  return {
    ...(onMessage && {
      async "chat.message"(input, draft) {
        const shown = seen(input.sessionID, [{ info: draft.message, parts: draft.parts }])
        const [first] = shown.messages
        if (!first) return
        const output = { message: first.info, parts: first.parts }
        await onMessage(structuredClone(input), output)
        const message = shown.writtenMessage(output.message)
        if (message?.role !== "user") throw new TypeError("It left no message of the user.")
        draft.message = message
        draft.parts = shown.writtenParts(output.parts, draft.message)
      },
    }),
    ...(onMessages && {
      async "chat.messages.transform"({ sessionID }, draft) {
        const shown = seen(sessionID, draft.messages)
        // As in OpenCode, an array that takes the place of this one is not looked at.
        await onMessages({}, { messages: shown.messages })
        draft.messages = shown.written(shown.messages) as typeof draft.messages
      },
    }),
    ...(onCommand && {
      async "command.execute.before"({ command, sessionID, arguments: args }, draft) {
        const output: { parts: unknown } = { parts: draft.parts }
        await onCommand({ command, sessionID, arguments: args }, output)
        const told = (problem: string) => notice(`Its handler of "command.execute.before" ${problem}.`, sessionID)
        draft.parts = promptParts(output.parts, told) as typeof draft.parts
      },
    }),
  }
}
