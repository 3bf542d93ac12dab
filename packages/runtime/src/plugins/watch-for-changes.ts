import type { Engine, EngineSettings } from "@pawl/core"
import type { Provider } from "@pawl/core/provider"
import type { Tool } from "@pawl/core/tool"
import type { SourceChange, SourceWatch } from "@pawl/plugin-loader"
import { errorMessage } from "@pawl/config/error-message"
import type { RuntimeHost } from "../host.ts"
import { type DefinedSettings, readDefinedSettings } from "../config/definitions.ts"
import { type ChangingOptions, changingOptions } from "../config/engine-options.ts"
import { hasServers } from "../mcp/configured-servers.ts"
import { permissionScopes } from "../config/permission-scopes.ts"
import { projectContent } from "@pawl/trust/project-content"
import type { Watching } from "./hot-reload.ts"
import type { PluginEnvironment } from "./plugin-environment.ts"
import { restartRequiredKeys } from "./restart-required-keys.ts"
import { withProjectLayers } from "./keep-project-layers.ts"
import { openPluginHost, type StartedPlugins, type PluginHost } from "./plugin-host.ts"
import { requestedPlugins } from "./requested-plugins.ts"
import { watchedSources } from "./watched-sources.ts"

/** The running work to which changes of its sources are applied. */
export interface WatchOptions {
  readonly engine: Engine
  readonly host: RuntimeHost
  /** Settings before plugins changed them. */
  readonly settings: DefinedSettings
  /** Undefined without plugins. */
  readonly pluginHost: PluginHost | undefined
  readonly started: StartedPlugins | undefined
  /** Kept up to date. */
  readonly environment: PluginEnvironment
  /** Built-in tools, which stay the same. */
  readonly builtin: readonly Tool[]
  readonly isPure: boolean
  /** Adapts the options to the current run. */
  readonly fitted: (options: ChangingOptions) => Partial<EngineSettings>
  /** Rejects if the current model is not among the providers' models. */
  readonly providersOf: (settings: DefinedSettings) => Promise<readonly Provider[]>
  readonly notice: (text: string) => void
}

/**
 * Watches plugins, tools, agents and configuration, and applies changes to running sessions. Anything that cannot be read or
 * loaded keeps its old state, with a notice. So does a trusted project whose content has changed. Resolves when the watchers
 * are ready.
 */
export async function watchForChanges(followed: WatchOptions): Promise<Watching> {
  const { watchSources } = await import("@pawl/plugin-loader")
  const { engine, host, notice, isPure } = followed
  const own = followed.pluginHost
  let { pluginHost, settings, started } = followed
  let shown: ReadonlySet<string> = new Set(started?.notices)
  let snapshot = snapshotOf(started?.settings ?? settings)
  let configured = (started?.settings ?? settings).config
  let broken: string | undefined
  let work: Promise<void> = Promise.resolve()
  let isEnded = false

  async function reload(kinds: ReadonlySet<string>): Promise<void> {
    const next = await readAgain(settings, host)
    const keepProjects = settings.trust.isTrusted && !next.trust.isTrusted
    const effective = keepProjects ? withProjectLayers(settings, next) : next
    const notices: string[] = keepProjects ? [CHANGED] : []
    const wanted = isPure ? [] : requestedPlugins(effective, host).plugins
    if (wanted.length > 0 || pluginHost || (!isPure && hasServers(effective))) {
      pluginHost ??= await openPluginHost(effective, host, notice, followed.environment)
      const before = entriesOf(started)
      started = await pluginHost.restart(engine, effective, { keepProjects })
      const after = entriesOf(started)
      const renewed = [...after].filter(([id, entry]) => before.has(id) && before.get(id) !== entry).map(([id]) => id)
      notices.push(
        ...started.notices,
        ...renewed.filter((id) => isRunning(engine, id)).map((id) => `Plugin ${id} was loaded again.`),
      )
    }
    settings = effective
    const current = started?.settings ?? effective
    if (keepProjects && snapshotOf(current) !== snapshot) {
      // Changed tools and agents of the project are not trusted yet, but the user's own rules apply at once.
      engine.update({ permission: permissionScopes(current.layers, current.definitions.agents) })
      snapshot = snapshotOf(current)
      notice("Your own rules were read again.")
    }
    if (!keepProjects && (kinds.has("tool") || snapshotOf(current) !== snapshot)) {
      // Tools that import something later need the same module names.
      pluginHost ??= await openPluginHost(effective, host, notice, followed.environment)
      const { options, notices: wrong } = await changingOptions(
        current,
        host,
        followed.builtin,
        pluginHost.registry.modules,
      )
      const late = restartRequiredKeys(configured, current.config)
      const providers = await followed.providersOf(current)
      engine.update({ ...followed.fitted(options), providers })
      pluginHost.environment.tools = options.tools ?? []
      pluginHost.environment.providers = providers
      snapshot = snapshotOf(current)
      configured = current.config
      notice("Tools, agents and configuration were read again.")
      if (late.length > 0) notice(`Only the next start works with what changed of ${late.join(", ")}.`)
      notices.push(...wrong)
    }
    for (const text of new Set(notices)) if (!shown.has(text) || text.endsWith("again.")) notice(text)
    shown = new Set(notices)
    await watch?.update(sources())
  }

  function sources() {
    return watchedSources(settings, started?.loaded.files ?? [], host)
  }

  function later(changes: readonly SourceChange[]): void {
    work = work.then(async () => {
      if (isEnded) return
      try {
        await reload(new Set(changes.flatMap(({ kinds }) => kinds)))
        broken = undefined
      } catch (error) {
        const message = errorMessage(error)
        if (message !== broken) notice(`What has changed does not count: ${message}`)
        broken = message
      }
    })
  }

  let watch: SourceWatch | undefined
  watch = await watchSources(sources(), {
    onChange: later,
    onError: ({ message }) => notice(`Changes of plugins and configuration are not seen: ${message}`),
  })
  // Includes the changes that were made before the watchers were ready.
  later([])
  return {
    async reload() {
      later([])
      await work
    },
    async stop() {
      isEnded = true
      await watch.close()
      await work
      if (!own) pluginHost?.[Symbol.dispose]()
    },
  }
}

const CHANGED =
  "What this project supplies has changed since it was trusted, and goes on as it was. To allow it as it is now: pawl trust"

/** Reads the settings again. Trust for one run remains while the content is the same. */
async function readAgain(settings: DefinedSettings, host: RuntimeHost): Promise<DefinedSettings> {
  const { directory, worktree, trust } = settings
  const { hash } = await projectContent({ directory, worktree })
  const isSame = trust.isTrusted && hash === trust.content.hash
  return readDefinedSettings(host, directory, isSame ? { flag: hash } : {})
}

function entriesOf(started: StartedPlugins | undefined) {
  return new Map(started?.loaded.members.flatMap(({ entries }) => entries.map((entry) => [entry.id, entry] as const)))
}

function isRunning(engine: Engine, id: string): boolean {
  return engine.plugins.report().some((report) => report.id === id && report.problem === undefined)
}

function snapshotOf({ config, definitions, layers }: DefinedSettings): string {
  const written = layers.map((layer) => layer.config)
  return JSON.stringify([config, written, definitions.agents, definitions.toolFiles])
}
