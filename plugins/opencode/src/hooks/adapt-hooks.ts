import { type PluginHooks, type PluginInput, unknownHooks } from "@pawl/core/plugin"
import type { SharedResources } from "../shared-resources.ts"
import { chatHooks } from "./chat.ts"
import { compactionHooks } from "./compaction.ts"
import { configHook } from "./config.ts"
import { eventHooks } from "./event.ts"
import { type ForeignHooks, mistakenHandlerOf } from "./foreign-hooks.ts"
import { messageHooks } from "./messages.ts"
import { toolHooks } from "./tool.ts"

/** Handlers that OpenCode calls. Names are without `experimental.`. */
const HANDLERS = [
  ...(["config", "dispose", "event"] as const),
  ...(["chat.headers", "chat.message", "chat.messages.transform", "chat.params", "chat.system.transform"] as const),
  ...(["command.execute.before", "compaction.autocontinue", "permission.ask", "provider.small_model"] as const),
  ...(["session.compacting", "shell.env", "text.complete", "tool.definition", "tool.execute.after"] as const),
  "tool.execute.before",
] as const

const HOOKS: readonly string[] = [...HANDLERS, "auth", "provider", "tool"]

/**
 * Events of OpenCode whose names resemble a hook. Some plugins return handlers for them, which OpenCode never calls.
 */
const EVENTS: ReadonlySet<string> = new Set([
  ...["command.executed", "permission.asked", "session.compacted", "tui.command.execute"],
])

/** Reports only keys that resemble a hook, because an OpenCode plugin may return other values besides hooks. */
function reportMisspelt(hooks: ForeignHooks, problem: PluginInput["problem"]): void {
  const written = Object.fromEntries(Object.keys(hooks).flatMap((key) => (EVENTS.has(key) ? [] : [[key, true]])))
  for (const { message, near } of unknownHooks(written, HOOKS)) if (near !== undefined) problem(near, message)
}

/**
 * Returns pawl's hooks for the hooks of an OpenCode plugin. Other keys are ignored. A value that should be a handler is
 * returned unchanged: the engine reports it, and refuses the calls that it should guard.
 */
export function adaptHooks(
  shared: SharedResources,
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
    ...eventHooks(shared, hooks, notice),
    ...configHook(hooks, notice),
    ...messageHooks(shared, hooks, notice),
    ...chatHooks(shared, hooks),
    ...toolHooks(hooks),
    ...compactionHooks(shared, hooks),
  }
}
