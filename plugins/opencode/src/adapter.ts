import { definePlugin, type Engine, type PluginEntry } from "@pawl/core"
import { createBun } from "./bun/create-bun.ts"
import { installBun } from "./bun/install-bun.ts"
import type { OpenCodeHost, PluginPlace } from "./host.ts"
import { hasPluginFunctions, pluginFunctions } from "./module-functions.ts"
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
  const bun = createBun(createShell(host.directory))

  function sceneOf(engine: Engine): Scene {
    const scene = scenes.get(engine) ?? createScene({ ...host, engine }, host.serverURL)
    scenes.set(engine, scene)
    return scene
  }

  return {
    accepts: (module) => hasPluginFunctions(module),
    adapt(module, { id, options, priority }) {
      if (!hasPluginFunctions(module)) throw new TypeError(`${id} exports nothing that could be started.`)
      const functions = pluginFunctions(module)
      installBun(bun)
      return functions.map(({ name, start }, at) => ({
        id: at === 0 ? id : `${id}#${name}`,
        plugin: definePlugin((input) => startPlugin(sceneOf(input.engine), start, input)),
        ...(options ? { options } : {}),
        ...(priority === undefined ? {} : { priority }),
      }))
    },
    installBun: () => installBun(bun),
  }
}
