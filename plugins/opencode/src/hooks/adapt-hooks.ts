import { type PluginHooks, type PluginInput, unknownHooks } from "@pawl/core/plugin"
import type { Scene } from "../scene.ts"
import { chatHooks } from "./chat.ts"
import { compactionHooks } from "./compaction.ts"
import { configHook } from "./config.ts"
import { eventHooks } from "./event.ts"
import { type ForeignHooks } from "./foreign-hooks.ts"
import { messageHooks } from "./messages.ts"
import { toolHooks } from "./tool.ts"

/** The names that OpenCode knows, without `experimental.`. */
const KNOWN: readonly string[] = [
  ...["auth", "config", "dispose", "event", "provider", "tool"],
  ...["chat.headers", "chat.message", "chat.messages.transform", "chat.params", "chat.system.transform"],
  ...["command.execute.before", "compaction.autocontinue", "permission.ask", "provider.small_model"],
  ...["session.compacting", "shell.env", "text.complete", "tool.definition", "tool.execute.after"],
  "tool.execute.before",
]

/** Reports only keys that resemble a hook: an OpenCode plugin may return other values beside hooks. */
function tellMisspelt(hooks: ForeignHooks, notice: PluginInput["notice"]): void {
  for (const { message, near } of unknownHooks(hooks, KNOWN)) if (near !== undefined) notice(message)
}

/** pawl's hooks for those that a plugin of OpenCode has. Other keys are ignored. */
export function adaptHooks(scene: Scene, hooks: ForeignHooks, notice: PluginInput["notice"]): PluginHooks {
  tellMisspelt(hooks, notice)
  return {
    ...eventHooks(scene, hooks, notice),
    ...configHook(hooks, notice),
    ...messageHooks(scene, hooks, notice),
    ...chatHooks(scene, hooks),
    ...toolHooks(hooks),
    ...compactionHooks(scene, hooks),
  }
}
