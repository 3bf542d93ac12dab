import { nearestName, type PluginHooks, type PluginInput } from "@pawl/core"
import type { Scene } from "../scene.ts"
import { chatHooks } from "./chat.ts"
import { compactionHooks } from "./compaction.ts"
import { configHook } from "./config.ts"
import { eventHooks } from "./event.ts"
import { type ForeignHooks, withoutPrefix } from "./foreign-hooks.ts"
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

/** Of what a plugin returns besides hooks nothing is said, but of what is nearly one. */
function tellMisspelt(hooks: ForeignHooks, notice: PluginInput["notice"]): void {
  for (const key of Object.keys(hooks)) {
    const name = withoutPrefix(key)
    const near = KNOWN.includes(name) ? undefined : nearestName(name, KNOWN)
    if (near !== undefined) notice(`${JSON.stringify(key)} is no hook; did you mean "${near}"?`)
  }
}

/** pawl's hooks for those that a plugin of OpenCode has. Keys that are no hook are passed over. */
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
