import { type PluginHooks, type PluginInput, unknownHooks } from "@pawl/core/plugin"
import type { Scene } from "../scene.ts"
import { chatHooks } from "./chat.ts"
import { compactionHooks } from "./compaction.ts"
import { configHook } from "./config.ts"
import { eventHooks } from "./event.ts"
import { type ForeignHooks, mistakenHandlerOf } from "./foreign-hooks.ts"
import { messageHooks } from "./messages.ts"
import { toolHooks } from "./tool.ts"

/** Handlers that OpenCode calls, without `experimental.`. */
const HANDLERS = [
  ...(["config", "dispose", "event"] as const),
  ...(["chat.headers", "chat.message", "chat.messages.transform", "chat.params", "chat.system.transform"] as const),
  ...(["command.execute.before", "compaction.autocontinue", "permission.ask", "provider.small_model"] as const),
  ...(["session.compacting", "shell.env", "text.complete", "tool.definition", "tool.execute.after"] as const),
  "tool.execute.before",
] as const

const HOOKS: readonly string[] = [...HANDLERS, "auth", "provider", "tool"]

/** Events of OpenCode whose names resemble a hook. Plugins return handlers of them, which OpenCode never calls. */
const EVENTS: ReadonlySet<string> = new Set([
  ...["command.executed", "permission.asked", "session.compacted", "tui.command.execute"],
])

/** Reports only keys that resemble a hook: an OpenCode plugin may return other values beside hooks. */
function reportMisspelt(hooks: ForeignHooks, problem: PluginInput["problem"]): void {
  const written = Object.fromEntries(Object.keys(hooks).flatMap((key) => (EVENTS.has(key) ? [] : [[key, true]])))
  for (const { message, near } of unknownHooks(written, HOOKS)) if (near !== undefined) problem(near, message)
}

/**
 * pawl's hooks for those that a plugin of OpenCode has. Other keys are ignored. A value in place of a handler stays as it
 * is: the engine reports it, and refuses what it would guard.
 */
export function adaptHooks(
  scene: Scene,
  hooks: ForeignHooks,
  { notice, problem }: Pick<PluginInput, "notice" | "problem">,
): PluginHooks {
  reportMisspelt(hooks, problem)
  const mistaken = HANDLERS.flatMap((name) => {
    const value = mistakenHandlerOf(hooks, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...(Object.fromEntries(mistaken) as PluginHooks),
    ...eventHooks(scene, hooks, notice),
    ...configHook(hooks, notice),
    ...messageHooks(scene, hooks, notice),
    ...chatHooks(scene, hooks),
    ...toolHooks(hooks),
    ...compactionHooks(scene, hooks),
  }
}
