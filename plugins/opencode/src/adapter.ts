import { definePlugin, type Engine, type PluginEntry, type PluginInput } from "@pawl/core/plugin"
import { createGuardian } from "@pawl/process-guard"
import { createBun } from "./bun/create-bun.ts"
import { installBun } from "./bun/install-bun.ts"
import type { OpenCodeHost, PluginOrigin } from "./host.ts"
import { hasPluginFunctions, type PluginFunction, pluginFunctions } from "./module-functions.ts"
import { createSharedResources, type SharedResources } from "./shared-resources.ts"
import { createShell } from "./shell/create-shell.ts"
import { startPlugin } from "./start-plugin.ts"

export interface OpenCodeAdapter {
  /** Returns true if an imported module is a plugin of OpenCode 1.x. */
  accepts(module: unknown): boolean
  /** Returns the module's plugins. Throws TypeError if OpenCode would reject the module. */
  adapt(module: unknown, place: PluginOrigin): PluginEntry[]
  /**
   * Defines the global `Bun`, unless it exists, for modules that use it while they are imported. `adapt` does this too.
   * Returns a function that removes it.
   */
  installBun(): () => void
}

/** Runs plugins of OpenCode 1.x, unchanged, as plugins of an engine. */
export function opencodeAdapter(host: OpenCodeHost): OpenCodeAdapter {
  const resources = new WeakMap<Engine, SharedResources>()
  const guardian = host.guardian ?? createGuardian()
  const bun = createBun(createShell(host.directory, guardian), guardian)

  function resourcesOf(engine: Engine): SharedResources {
    const shared = resources.get(engine) ?? createSharedResources({ ...host, engine }, guardian, host.serverURL)
    resources.set(engine, shared)
    return shared
  }

  return {
    accepts: (module) => hasPluginFunctions(module),
    adapt(module, { id, options, priority }) {
      if (!hasPluginFunctions(module)) throw new TypeError(`${id} exports nothing that could be started.`)
      const functions = pluginFunctions(module)
      installBun(bun)
      const isOnly = functions.length === 1
      return functions.map(({ name, start }, at) => {
        const pluginID = at === 0 ? id : `${id}#${name}`
        return {
          id: pluginID,
          plugin: definePlugin((input) =>
            startPlugin(resourcesOf(input.engine), isOnly ? start : ignoringOtherValues(start), {
              ...input,
              ...noticeWithName(input, pluginID),
            }),
          ),
          ...(options ? { options } : {}),
          ...(priority === undefined ? {} : { priority }),
        }
      })
    },
    installBun: () => installBun(bun),
  }
}

/** A module may export functions that are not plugins. OpenCode calls these too, and ignores what they return. */
function ignoringOtherValues(start: PluginFunction["start"]): PluginFunction["start"] {
  return async (input, options) => {
    const returned = await start(input, options)
    return typeof returned === "object" && !Array.isArray(returned) ? returned : undefined
  }
}

/** Adds the plugin's name to each notice. */
function noticeWithName({ notice }: Pick<PluginInput, "notice">, id: string): Pick<PluginInput, "notice"> {
  return { notice: (message, sessionID) => notice(`Plugin "${id}": ${message}`, sessionID) }
}
