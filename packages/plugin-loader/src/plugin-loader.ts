import type { PluginEntry } from "@pawl/core/plugin"
import { createGuardian, type Guardian } from "@pawl/process-guard"
import { type PluginAdapter, type PluginPlace, pawlAdapter } from "./adapter.ts"
import { createPackageCache, type InstalledPackage, type PackageCache } from "./install/package-cache.ts"
import { loadOne, type LoadOneDeps, type PluginState, toProblem } from "./load-one.ts"
import type { Modules } from "./modules/modules.ts"
import { type PluginLoadProblem } from "./problem.ts"
import { discoverPlugins } from "./spec/discover.ts"
import { lastOfEach, parseSpec, type PluginSpec, type Target } from "./spec/plugin-spec.ts"

export interface PluginLoaderOptions {
  /** Where npm installs to, absolute. */
  readonly cache: string
  /** Imports the plugins' modules; the caller closes them. */
  readonly modules: Modules
  /** Asked in this order, behind the one for plugins of `definePlugin`; the first that accepts a module adapts it. */
  readonly adapters?: readonly PluginAdapter[]
  /** Versions by engine that packages may demand in `engines`; `node` is there. */
  readonly engines?: Readonly<Record<string, string>>
  /** Packages that npm need not install for others' `peerDependencies`: what `modules` has names for. */
  readonly provided?: readonly string[]
  /** Milliseconds that a module may take to import. */
  readonly deadline?: number
  /** What npm's child process may choose from; it gets an allow-list of it. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly npm?: readonly [string, ...string[]]
  /** Ends npm if this process dies. Absent: a guardian of the loader's own. */
  readonly guardian?: Guardian
}

export interface LoadRequest {
  /** In their order; of two that mean the same plugin the later counts. */
  readonly specs: readonly PluginSpec[]
  /** Configuration directories, in their order, whose `{plugin,plugins}/*.{ts,js}` come behind the specs. */
  readonly directories?: readonly string[]
  /** Packages by spec that the caller got from `packages` just now: they are not looked at twice. */
  readonly installed?: ReadonlyMap<string, InstalledPackage>
  /** Tries again to install what could not be installed; without, its problem stands. */
  readonly retry?: boolean
  /** Called with the place of a plugin before it is imported. */
  readonly onImport?: (place: PluginPlace) => void
  readonly signal?: AbortSignal
}

export interface LoadedPlugins {
  /** In the order of the specs, whatever took longest. */
  readonly entries: readonly PluginEntry[]
  /** All that is wrong now, in the same order. */
  readonly problems: readonly PluginLoadProblem[]
  readonly places: readonly PluginPlace[]
  /** Absolute paths of local files that plugins are made of: a change of one is a reason to load again. */
  readonly files: readonly string[]
}

/**
 * Makes plugins of what configurations name. It runs their code: the caller names only what is trusted, specs and
 * directories alike; nothing else is ever imported or installed.
 */
export interface PluginLoader {
  /**
   * Loads what is new, and local files that have changed since, with what they import. What has not changed is given as
   * the same entry. Where a new version does not load the one before stays, and a problem says so. A broken plugin is a
   * problem, and the others are there. Rejects with the signal's reason alone. One call at a time.
   */
  load(request: LoadRequest): Promise<LoadedPlugins>
  /** What npm has installed; after `update`, a plugin that runs stays as it is until the process starts anew. */
  readonly packages: PackageCache
}

const DEADLINE = 10_000

export function createPluginLoader(options: PluginLoaderOptions): PluginLoader {
  const { cache, modules, deadline = DEADLINE, env = process.env, npm: command = ["npm"], provided = [] } = options
  const { guardian = createGuardian() } = options
  const adapters = [pawlAdapter, ...(options.adapters ?? [])]
  const engines = { node: process.versions.node, ...options.engines }
  const packages = createPackageCache({ directory: cache, npm: { command, env, guardian }, provided })
  const deps: LoadOneDeps = { modules, packages, engines, adapters, deadline }
  let states = new Map<string, PluginState>()

  /** A path that leads nowhere yet is one, too. */
  function filesOf(target: Wanted["target"], entry: string | undefined): readonly string[] {
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

interface Wanted {
  readonly given: PluginSpec
  readonly identity: string
  readonly target: Target | { readonly problem: PluginLoadProblem }
}

function toTarget(given: PluginSpec): Wanted {
  try {
    const target = parseSpec(given)
    return { given, identity: target.identity, target }
  } catch (error) {
    return { given, identity: given.spec, target: { problem: toProblem(given.spec, error) } }
  }
}
