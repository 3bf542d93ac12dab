import type { Engine } from "@pawl/core"
import { type DefinedSettings, withDefinitions } from "./config/definitions.ts"
import type { Command } from "./prompt/builtin-commands.ts"
import { allCommands } from "./prompt/find-command.ts"
import type { RuntimeOptions } from "./runtime-options.ts"
import { readConfiguration } from "./steps/read-configuration.ts"
import { startPlugins } from "./steps/start-plugins.ts"
import { createStepContext } from "./steps/step-context.ts"

/** The configuration of a directory as its plugins change it, and what they contribute. */
export interface OpenedPlugins extends AsyncDisposable {
  readonly settings: DefinedSettings
  /** All commands, including those of plugins. */
  readonly commands: readonly Command[]
  /** Engine of the plugins, which has no model and stores nothing. Undefined without plugins. */
  readonly engine: Engine | undefined
  /** Notices for the user, until now. */
  readonly notices: readonly string[]
}

export type PluginsOptions = Pick<RuntimeOptions, "directory" | "host" | "trust" | "isPure"> & {
  readonly signal?: AbortSignal
}

/**
 * Opens the first part of a runtime: configuration and plugins, without a session and a model. Imports no code of plugins if the
 * configuration names none.
 */
export async function openPlugins({ signal, ...options }: PluginsOptions): Promise<OpenedPlugins> {
  const notices: string[] = []
  const interaction = { notice: (text: string) => void notices.push(text), ...(signal ? { signal } : {}) }
  const context = createStepContext({ ...options, interaction })
  try {
    const settings = await withDefinitions(await readConfiguration(context), context.host)
    const plugins = await startPlugins({ settings, storage: openMemory, needsPlugins: true }, context)
    const { started } = plugins ?? {}
    return {
      settings: started?.settings ?? settings,
      commands: started?.commands ?? allCommands(settings.definitions),
      engine: plugins?.engine,
      get notices() {
        return [...(started?.notices ?? []), ...notices]
      },
      [Symbol.asyncDispose]: () => context.resources.close(),
    }
  } catch (error) {
    await context.resources.close()
    throw error
  }
}

async function openMemory() {
  const { memoryStorage } = await import("@pawl/storage-memory")
  return memoryStorage()
}
