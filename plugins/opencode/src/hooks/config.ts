import type { PluginHooks, PluginInput } from "@pawl/core/plugin"
import { openCodeConfig } from "@pawl/server"
import { applyConfig } from "../config/apply-config.ts"
import { type ForeignHooks, handlerOf } from "./foreign-hooks.ts"

/** Lets a plugin change the configuration in OpenCode's shape; what pawl does not know of it is told and left out. */
export function configHook(hooks: ForeignHooks, notice: PluginInput["notice"]): Pick<PluginHooks, "config"> {
  const onConfig = handlerOf(hooks, "config")
  if (!onConfig) return {}
  return {
    async config(_input, draft) {
      const before = openCodeConfig(draft)
      const shown = openCodeConfig(draft)
      await onConfig(shown)
      const unknown = applyConfig(draft, before, shown)
      if (unknown.length > 0) notice(`It sets what pawl does not know of a configuration: ${unknown.join(", ")}.`)
    },
  }
}
