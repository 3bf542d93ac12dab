import { definePlugin, type Engine, type PluginEntry, type PluginInput } from "@pawl/core/plugin"
import { createGuardian } from "@pawl/process-guard"
import { createBun } from "./bun/create-bun.ts"
import { installBun } from "./bun/install-bun.ts"
import type { OpenCodeHost, PluginPlace } from "./host.ts"
import { hasPluginFunctions, type PluginFunction, pluginFunctions } from "./module-functions.ts"
import { createScene, type Scene } from "./scene.ts"
import { createShell } from "./shell/create-shell.ts"
import { startPlugin } from "./start-plugin.ts"

export interface OpenCodeAdapter {
  /** Whether an imported module is a plugin of OpenCode 1.x. */
  accepts(module: unknown): boolean
  /** The module's plugins. Throws TypeError where OpenCode would refuse the module. */
  adapt(module: unknown, place: PluginPlace): PluginEntry[]
  /**
   * Puts the global `Bun` in place, where there is none, for modules that use it while they are imported; `adapt` does so
   * in any case. Returns the function that takes it away.
   */
  installBun(): () => void
}

/** Runs plugins of OpenCode 1.x, unchanged, as plugins of an engine. */
export function opencodeAdapter(host: OpenCodeHost): OpenCodeAdapter {
  const scenes = new WeakMap<Engine, Scene>()
  const guardian = host.guardian ?? createGuardian()
  const bun = createBun(createShell(host.directory, guardian), guardian)

  function sceneOf(engine: Engine): Scene {
    const scene = scenes.get(engine) ?? createScene({ ...host, engine }, guardian, host.serverURL)
    scenes.set(engine, scene)
    return scene
  }

  return {
    accepts: (module) => hasPluginFunctions(module),
    adapt(module, { id, options, priority }) {
      if (!hasPluginFunctions(module)) throw new TypeError(`${id} exports nothing that could be started.`)
      const functions = pluginFunctions(module)
      installBun(bun)
      const isOnly = functions.length === 1
      return functions.map(({ name, start }, at) => {
        const own = at === 0 ? id : `${id}#${name}`
        return {
          id: own,
          plugin: definePlugin((input) =>
            startPlugin(sceneOf(input.engine), isOnly ? start : hooksAlone(start), { ...input, ...named(input, own) }),
          ),
          ...(options ? { options } : {}),
          ...(priority === undefined ? {} : { priority }),
        }
      })
    },
    installBun: () => installBun(bun),
  }
}

/** Of several functions, some are not plugins: OpenCode calls them too, and ignores what they return. */
function hooksAlone(start: PluginFunction["start"]): PluginFunction["start"] {
  return async (input, options) => {
    const returned = await start(input, options)
    return typeof returned === "object" && !Array.isArray(returned) ? returned : undefined
  }
}

/** What is told of a plugin names it. */
function named({ notice }: Pick<PluginInput, "notice">, id: string): Pick<PluginInput, "notice"> {
  return { notice: (message, sessionID) => notice(`Plugin "${id}": ${message}`, sessionID) }
}
