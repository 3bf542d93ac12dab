import type { PluginEntry } from "@pawl/core/plugin"
import type { LoadedPlugins, LoadRequest, Modules, PackageCache, PluginLoader, PluginOrigin } from "@pawl/plugin-loader"
import { moduleAliases, moduleFallbacks } from "@pawl/plugin-opencode/aliases"
import type { RuntimeHost } from "../host.ts"
import { keepDescriptors } from "../child-output.ts"
import { plainLine } from "@pawl/plain-text"
import type { DefinedSettings } from "../config/definitions.ts"
import { kitNames, providedNames } from "../module-names.ts"
import { createOpenCodeAdapter } from "./opencode-adapter.ts"
import { openCodeHost } from "./opencode-host.ts"
import { settledGuard } from "../config/settled-guard.ts"
import { ownPlugin } from "./own-plugins.ts"
import { packageDirectory, strippedDirectory } from "../config/package-directory.ts"
import type { LoadedPlugin } from "./loaded-plugin.ts"
import { loadProblem } from "./plugin-problems.ts"
import type { PluginEnvironment } from "./plugin-environment.ts"
import { blamed, reportStrayErrors } from "./stray-errors.ts"
import { trustedPackages } from "./trusted-packages.ts"
import type { RequestedPlugin } from "./requested-plugins.ts"

export interface LoadedSet {
  /** In the order in which they run. */
  readonly members: readonly LoadedPlugin[]
  /** Absolute paths of local files. If one changes, the plugins are loaded again. */
  readonly files: readonly string[]
}

export interface LoadOptions {
  /** Keeps the project's plugins unchanged, because their new content is not trusted. */
  readonly keepProjects?: boolean
  readonly signal?: AbortSignal | undefined
}

/** Loads the requested plugins, and loads changed ones again. */
export interface PluginRegistry {
  /** Also imports tool files, with the same module names. */
  readonly modules: Modules
  readonly packages: PackageCache
  /** Rejects only with the signal's reason. Calls must not overlap. */
  load(plugins: readonly RequestedPlugin[], settings: DefinedSettings, options?: LoadOptions): Promise<LoadedSet>
  close(): void
}

/** OpenCode version that plugins for OpenCode may require. */
const OPENCODE = "1.18.33"

/** Imports the packages that load plugins. */
export async function openPluginRegistry(
  pluginEnvironment: PluginEnvironment,
  host: RuntimeHost,
): Promise<PluginRegistry> {
  keepDescriptors()
  const [{ createModules, createPluginLoader }, { shimNames }, { guardian }] = await Promise.all([
    import("@pawl/plugin-loader"),
    import("@pawl/user-tools"),
    settledGuard(pluginEnvironment.settings, host),
  ])
  const aliases = { ...shimNames.aliases, ...moduleAliases, ...kitNames }
  const fallbacks = { ...shimNames.fallbacks, ...moduleFallbacks }
  const modules = createModules({ aliases, fallbacks, cache: strippedDirectory(pluginEnvironment.settings, host) })
  const adapter = createOpenCodeAdapter(() => openCodeHost(pluginEnvironment, host))
  const options = {
    ...{
      cache: packageDirectory(pluginEnvironment.settings, host),
      modules,
      adapters: [adapter],
      env: host.environment,
    },
    ...{ engines: { opencode: OPENCODE }, provided: providedNames, guardian },
  }
  // Two loaders, because the user's plugins may be loaded again while the project's stay unchanged.
  const loaders = { user: createPluginLoader(options), project: createPluginLoader(options) }
  const own = createOwnEntries()
  let stopReporting: (() => void) | undefined
  let origins: readonly PluginOrigin[] = []
  let importing: readonly PluginOrigin[] = []
  const stopExplaining = host.explainExit((stack) => {
    const known = new Map([...origins, ...importing].map((origin) => [origin.id, origin]))
    const id = blamed(stack, [...known.values()])
    return id === undefined ? undefined : `the plugin ${id}`
  })
  let projects: readonly LoadedPlugin[] = []
  let projectFiles: readonly string[] = []

  async function loadWith(
    loader: PluginLoader,
    plugins: readonly RequestedPlugin[],
    request: Pick<LoadRequest, "installed" | "signal">,
  ) {
    const began = performance.now()
    const specs = plugins.map(({ spec, options: configured }) => ({
      ...{ spec, source: { directory: pluginEnvironment.settings.directory } },
      ...(configured ? { options: configured } : {}),
    }))
    const onImport = (origin: PluginOrigin) => void (importing = [...importing, origin])
    const loaded = await loader.load({ ...request, specs, onImport })
    const took = performance.now() - began
    return { members: plugins.map((wanted) => memberOf(wanted, loaded, took)), files: loaded.files }
  }

  return {
    modules,
    packages: loaders.user.packages,
    async load(plugins, settings, { keepProjects = false, signal } = {}) {
      const aborted = signal ? { signal } : {}
      // Plugins may start processes that are not guarded otherwise.
      if (plugins.length > 0) guardian.start()
      await adapter.prepare(plugins)
      const foreign = plugins.filter(({ kind }) => kind !== "own")
      if (foreign.length > 0) host.watchThread()
      if (foreign.length > 0)
        stopReporting ??= reportStrayErrors(
          () => origins,
          (text) => pluginEnvironment.notice(plainLine(text)),
        )
      const [ownMembers, user, project] = await Promise.all([
        Promise.all(plugins.filter(({ kind }) => kind === "own").map((wanted) => own(wanted, settings))),
        loadWith(
          loaders.user,
          foreign.filter(({ isProject }) => !isProject),
          aborted,
        ),
        keepProjects
          ? { members: projects, files: projectFiles }
          : trustedPackages(
              foreign.filter(({ isProject }) => isProject),
              settings,
              loaders.project.packages,
              signal,
            ).then(async ({ allowed, refused, installed }) => {
              const loaded = await loadWith(loaders.project, allowed, { ...aborted, installed })
              return { ...loaded, members: [...loaded.members, ...refused] }
            }),
      ])
      projects = project.members
      projectFiles = project.files
      const all = [...ownMembers, ...user.members, ...project.members]
      origins = all.flatMap(({ origin: each }) => each ?? [])
      importing = []
      const order = new Map(plugins.map((wanted, index) => [keyOf(wanted), index]))
      const position = (member: LoadedPlugin) => order.get(keyOf(member.wanted)) ?? plugins.length
      return { members: all.toSorted((a, b) => position(a) - position(b)), files: [...user.files, ...project.files] }
    },
    close() {
      stopReporting?.()
      stopExplaining()
      modules.close()
    },
  }
}

/** Returns the same entry as long as the options are the same. */
function createOwnEntries() {
  const known = new Map<string, PluginEntry>()
  return async (wanted: RequestedPlugin, settings: DefinedSettings): Promise<LoadedPlugin> => {
    const began = performance.now()
    const plugin = ownPlugin(wanted.spec)
    if (!plugin) return { wanted, entries: [], problems: [], took: 0 }
    const options = { ...plugin.defaults?.(settings), ...wanted.options }
    const key = JSON.stringify([wanted.spec, options])
    const entry = known.get(key) ?? { id: plugin.name, plugin: await plugin.load(), options }
    known.set(key, entry)
    return { wanted, entries: [entry], problems: [], took: performance.now() - began }
  }
}

function memberOf(wanted: RequestedPlugin, { places, entries, problems }: LoadedPlugins, took: number): LoadedPlugin {
  const origin = places.find(({ spec }) => spec === wanted.spec)
  const own = origin ? entries.filter(({ id }) => id === origin.id || id.startsWith(`${origin.id}#`)) : []
  const wrong = problems.filter(({ spec }) => spec === wanted.spec).map((problem) => loadProblem(wanted, problem))
  return { wanted, entries: own, problems: wrong, took, ...(origin ? { origin } : {}) }
}

function keyOf({ kind, spec, isProject }: RequestedPlugin): string {
  return `${kind} ${isProject} ${spec}`
}
