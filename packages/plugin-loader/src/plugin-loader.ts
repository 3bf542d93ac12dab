import type { PluginEntry } from "@pawl/core/plugin"
import { createGuardian, type Guardian } from "@pawl/process-guard"
import { type PluginAdapter, type PluginOrigin, pawlAdapter } from "./adapter.ts"
import { createPackageCache, type InstalledPackage, type PackageCache } from "./install/package-cache.ts"
import { loadOne, type LoadOneDeps, type PluginState, toProblem } from "./load-one.ts"
import type { Modules } from "./modules/modules.ts"
import { type PluginLoadProblem } from "./problem.ts"
import { discoverPlugins } from "./spec/discover.ts"
import { lastOfEach, parseSpec, type PluginSpec, type Target } from "./spec/plugin-spec.ts"

export interface PluginLoaderOptions {
  /** Absolute directory for npm's installations. */
  readonly cache: string
  /** Imports the plugins' modules. The caller closes it. */
  readonly modules: Modules
  /** Called in this order, after the adapter for `definePlugin`. The first one that accepts a module converts it. */
  readonly adapters?: readonly PluginAdapter[]
  /** Versions by engine, which packages may require in `engines`. `node` is predefined. */
  readonly engines?: Readonly<Record<string, string>>
  /** Packages that are not installed for `peerDependencies`, because `modules` provides them. */
  readonly provided?: readonly string[]
  /** Milliseconds that the import of a module may take. */
  readonly deadline?: number
  /** Environment for npm, of which it gets only allowed variables. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly npm?: readonly [string, ...string[]]
  /** Ends npm if this process dies. Default: a new guardian. */
  readonly guardian?: Guardian
}

export interface LoadRequest {
  /** In order. If two specs mean the same plugin, the later one counts. */
  readonly specs: readonly PluginSpec[]
  /** Configuration directories in order. Their `{plugin,plugins}/*.{ts,js}` follow the specs. */
  readonly directories?: readonly string[]
  /** Packages by spec that the caller has just got from `packages`, so that they are not checked twice. */
  readonly installed?: ReadonlyMap<string, InstalledPackage>
  /** Retries failed installations. Default: their problem stays. */
  readonly retry?: boolean
  /** Called before a plugin is imported. */
  readonly onImport?: (place: PluginOrigin) => void
  readonly signal?: AbortSignal
}

export interface LoadedPlugins {
  /** In the order of the specs. */
  readonly entries: readonly PluginEntry[]
  /** All current problems, in the same order. */
  readonly problems: readonly PluginLoadProblem[]
  readonly places: readonly PluginOrigin[]
  /** Absolute paths of the plugins' local files. Load again when one of them changes. */
  readonly files: readonly string[]
}

/**
 * Loads the plugins of configurations. It runs their code, so the caller must pass only trusted specs and directories.
 * Imports and installs nothing else.
 */
export interface PluginLoader {
  /**
   * Loads new plugins, and those whose local files or imports have changed. Unchanged plugins keep their entry. If a
   * new version cannot be loaded, the previous one stays and a problem is reported. A broken plugin does not affect
   * others. Rejects only with the signal's reason. Do not call it concurrently.
   */
  load(request: LoadRequest): Promise<LoadedPlugins>
  /** npm's installations. After `update`, a running plugin stays unchanged until the process restarts. */
  readonly packages: PackageCache
}

const IMPORT_TIMEOUT_MS = 10_000

export function createPluginLoader(options: PluginLoaderOptions): PluginLoader {
  const {
    cache,
    modules,
    deadline = IMPORT_TIMEOUT_MS,
    env = process.env,
    npm: command = ["npm"],
    provided = [],
  } = options
  const { guardian = createGuardian() } = options
  const adapters = [pawlAdapter, ...(options.adapters ?? [])]
  const engines = { node: process.versions.node, ...options.engines }
  const packages = createPackageCache({ directory: cache, npm: { command, env, guardian }, provided })
  const deps: LoadOneDeps = { modules, packages, engines, adapters, deadline }
  let states = new Map<string, PluginState>()

  /** Includes a path that does not exist yet. */
  function filesOf(target: RequestedPlugin["target"], entry: string | undefined): readonly string[] {
    if (!("kind" in target) || target.kind === "npm") return []
    const named = entry === undefined || entry === target.path ? [target.path] : []
    return [...named, ...(entry === undefined ? [] : modules.files(entry))]
  }

  return {
    packages,
    async load(request) {
      request.signal?.throwIfAborted()
      const all = [...request.specs, ...(await discoverPlugins(request.directories ?? []))].map(toTarget)
      const wanted = lastOfEach(all, ({ identity }) => identity)
      const found = await Promise.all(
        wanted.map(async ({ given, identity, target }): Promise<PluginState> => {
          if ("problem" in target) return { key: "", isSettled: true, ...target }
          return await loadOne(deps, given, target, states.get(identity), request)
        }),
      )
      states = new Map(wanted.map(({ identity }, index) => [identity, found[index] as PluginState]))
      return {
        entries: found.flatMap(({ loaded }) => loaded?.entries ?? []),
        problems: found.flatMap(({ problem }) => problem ?? []),
        places: found.flatMap(({ loaded }) => loaded?.place ?? []),
        files: [...new Set(wanted.flatMap(({ target }, index) => filesOf(target, found[index]?.entry)))].toSorted(),
      }
    },
  }
}

interface RequestedPlugin {
  readonly given: PluginSpec
  readonly identity: string
  readonly target: Target | { readonly problem: PluginLoadProblem }
}

function toTarget(given: PluginSpec): RequestedPlugin {
  try {
    const target = parseSpec(given)
    return { given, identity: target.identity, target }
  } catch (error) {
    return { given, identity: given.spec, target: { problem: toProblem(given.spec, error) } }
  }
}
