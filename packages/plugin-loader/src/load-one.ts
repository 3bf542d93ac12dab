import type { PluginEntry } from "@pawl/core/plugin"
import type { PluginAdapter, PluginOrigin } from "./adapter.ts"
import { type LocateDeps, type LocatedPlugin, locate, type LocateRequest } from "./locate.ts"
import type { Modules } from "./modules/modules.ts"
import { PluginError, type PluginLoadProblem } from "./problem.ts"
import type { PluginSpec, Target } from "./spec/plugin-spec.ts"

export interface LoadOneDeps extends LocateDeps {
  readonly modules: Modules
  readonly adapters: readonly PluginAdapter[]
  readonly deadline: number
}

/** The state of a plugin between two loads. */
export interface PluginState {
  /** The part of the spec that the entries depend on. */
  readonly key: string
  /** The plugin's main file, if it was found. */
  readonly entry?: string
  /** Set if the result depends only on the files; otherwise the next load tries again. */
  readonly isSettled: boolean
  readonly loaded?: { readonly place: PluginOrigin; readonly entries: readonly PluginEntry[] }
  readonly problem?: PluginLoadProblem
}

interface Request extends LocateRequest {
  readonly retry?: boolean
  readonly onImport?: (place: PluginOrigin) => void
}

/** Returns the previous state if nothing has changed. Rejects only with the signal's reason. */
export async function loadOne(
  deps: LoadOneDeps,
  pluginSpec: PluginSpec,
  target: Target,
  before: PluginState | undefined,
  request: Request,
): Promise<PluginState> {
  const { modules, deadline, adapters } = deps
  const key = JSON.stringify([pluginSpec.spec, pluginSpec.options ?? null])
  if (before?.key === key && (await isCurrent(modules, before, target, request))) return before
  let located: LocatedPlugin | undefined
  try {
    located = await locate(deps, pluginSpec, target, request)
    const { place } = located
    request.onImport?.(place)
    const exports = await importOf(modules, located, {
      deadline,
      ...(request.signal ? { signal: request.signal } : {}),
    })
    const lineOf = (error: unknown) => modules.locate(place.entry, error)
    const entries = (await adapt(exports, place, adapters)).map((entry) => ({ ...entry, locate: lineOf }))
    return { key, entry: place.entry, isSettled: true, loaded: { place, entries } }
  } catch (error) {
    request.signal?.throwIfAborted()
    const problem = toProblem(pluginSpec.spec, error)
    const old = before?.loaded
    return {
      ...(located ? { entry: located.place.entry } : {}),
      // A missing dependency may have been added without a change of the files that were read.
      ...{ key, isSettled: problem.stage === "adapt" },
      ...(old ? { loaded: old, problem: { ...problem, kept: true } } : { problem }),
    }
  }
}

async function isCurrent(
  modules: Modules,
  { problem, isSettled, entry }: PluginState,
  target: Target,
  { retry }: Request,
): Promise<boolean> {
  if (target.kind === "npm") return problem === undefined || !retry
  return entry !== undefined && isSettled && (await modules.isUnchanged(entry))
}

/** Why a module is not a plugin. */
class RejectedModule extends Error {
  override readonly name = "RejectedModule"
  readonly problem: PluginLoadProblem
  constructor(problem: PluginLoadProblem) {
    super(problem.message)
    this.problem = problem
  }
}

async function importOf(
  modules: Modules,
  { place, installRoot: root }: LocatedPlugin,
  options: { readonly deadline: number; readonly signal?: AbortSignal },
): Promise<Readonly<Record<string, unknown>>> {
  const imported = await modules.import(place.entry, { ...options, ...(root === undefined ? {} : { root }) })
  options.signal?.throwIfAborted()
  if ("exports" in imported) return imported.exports
  throw new RejectedModule({ spec: place.spec, stage: "import", ...imported.problem })
}

async function adapt(
  exports: Readonly<Record<string, unknown>>,
  place: PluginOrigin,
  adapters: readonly PluginAdapter[],
): Promise<readonly PluginEntry[]> {
  const rejected = (message: string) =>
    new RejectedModule({ spec: place.spec, stage: "adapt", file: place.entry, message })
  try {
    const adapter = adapters.find((each) => each.accepts(exports, place))
    if (adapter) return await adapter.adapt(exports, place)
  } catch (error) {
    throw rejected(`It is not a usable plugin: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw rejected("It exports no plugin. Export what definePlugin of @pawl/plugin gives as its default.")
}

export function toProblem(spec: string, error: unknown): PluginLoadProblem {
  if (error instanceof RejectedModule) return error.problem
  if (error instanceof PluginError) {
    const { stage, file, message } = error
    return { spec, stage, ...(file === undefined ? {} : { file }), message }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { spec, stage: "resolve", message: `It cannot be loaded: ${message}` }
}
