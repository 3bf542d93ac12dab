import type { PluginHooks, PluginInput } from "@pawl/core"
import type { Scene } from "../scene.ts"
import { chatHooks } from "./chat.ts"
import { compactionHooks } from "./compaction.ts"
import { configHook } from "./config.ts"
import { eventHooks } from "./event.ts"
import { messageHooks } from "./messages.ts"
import { toolHooks } from "./tool.ts"

export type ForeignHandler = (input: unknown, output?: unknown) => unknown

/** What a plugin of OpenCode has returned: any object. */
export type ForeignHooks = Readonly<Record<string, unknown>>

/** The plugin's handler of a hook by its name in OpenCode, called as OpenCode calls it. */
export function handlerOf(hooks: ForeignHooks, name: string): ForeignHandler | undefined {
  const handler = hooks[name]
  return typeof handler === "function"
    ? (input, output) => (handler as ForeignHandler).call(hooks, input, output)
    : undefined
}

/** What is known in OpenCode and never called here. */
const UNCALLED = ["experimental.provider.small_model"]

/** pawl's hooks for those that a plugin of OpenCode has. Keys that are no hook are passed over. */
export function adaptHooks(scene: Scene, hooks: ForeignHooks, notice: PluginInput["notice"]): PluginHooks {
  for (const name of UNCALLED) if (handlerOf(hooks, name)) notice(`The hook "${name}" is not called by pawl.`)
  return {
    ...eventHooks(scene, hooks, notice),
    ...configHook(hooks, notice),
    ...messageHooks(scene, hooks, notice),
    ...chatHooks(scene, hooks),
    ...toolHooks(hooks),
    ...compactionHooks(scene, hooks),
  }
}
