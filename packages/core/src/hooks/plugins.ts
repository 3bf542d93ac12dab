import { HookError } from "../base/errors.ts"
import type { SessionID } from "../base/ids.ts"
import { createDispatch, type Dispatch, type DispatchDeps } from "./dispatch.ts"
import { createHooks, type Hooks } from "./hooks.ts"
import type { HookMap, HookName } from "../contracts/hook-map.ts"
import { type PluginInstance, startPlugin } from "./instance.ts"
import { createPluginToolReader } from "./plugin-tools.ts"
import type { PluginEntry, PluginInput } from "./plugin.ts"
import { takenHooks } from "./read-hooks.ts"

/** What keeps a plugin from taking part as it was asked to. */
export interface PluginProblem {
  readonly plugin: string
  readonly message: string
}

/** The plugins of an engine, in their order: by priority, then as given. */
export interface Plugins {
  /** Always those there are now. */
  readonly hooks: Hooks
  readonly dispatch: Pick<Dispatch, "ask" | "blame">
  /** What has been asked for, also where it did not start. */
  readonly problems: ReadonlyMap<string, string>
  instances(): readonly PluginInstance[]
  /** The hooks that one takes part in, and how many tools it offered last. */
  describe(instance: PluginInstance): { readonly hooks: readonly HookName[]; readonly tools: number }
  /**
   * Takes these in place of all others, by id: the same entry stays untouched, another one is started before the old
   * one leaves, which stays where that fails. Plugins start one after the other, each part of the engine at once. What
   * leaves is disposed when nobody uses it any more, which is not waited for. A plugin that starts may not wait for it.
   */
  set(entries: readonly PluginEntry[]): Promise<readonly PluginProblem[]>
  /** Disposes all, whoever still uses them, and starts none any more. */
  close(): Promise<void>
}

export interface PluginsDeps extends Omit<DispatchDeps, "rows"> {
  /** What a plugin is handed besides its options. */
  readonly input: () => Pick<PluginInput<unknown>, "engine">
  readonly notice: (message: string, sessionID?: SessionID) => void
  /** There are other plugins now. */
  readonly onChange: () => void
}

export function createPlugins(deps: PluginsDeps): Plugins {
  let rows: HookMap | undefined
  let live: readonly PluginInstance[] = []
  let work: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let version = 0
  const problems = new Map<string, string>()
  const leaving = new Set<Promise<void>>()
  const left = new WeakSet<PluginInstance>()
  const closing = Promise.withResolvers<void>()
  const loadedRows = () => {
    if (!rows) throw new TypeError("No plugin has been started.")
    return rows
  }
  const dispatch = createDispatch({ ...deps, rows: loadedRows })
  const tools = createPluginToolReader(dispatch, deps.reports)

  /** Once, also where a plugin closes the engine while it is disposed. */
  function leave(instance: PluginInstance): void {
    if (left.has(instance)) return
    left.add(instance)
    const disposed = Promise.race([instance.free(), closing.promise])
      .then(() => dispatch.dispose(instance))
      .finally(() => leaving.delete(disposed))
    leaving.add(disposed)
  }

  async function start(entry: PluginEntry): Promise<PluginInstance> {
    if (isClosed) throw new HookError(entry.id, "start", "the engine is closed")
    const starting: { instance?: PluginInstance } = {}
    const input = {
      ...deps.input(),
      notice: deps.notice,
      // What it says of itself counts while it takes part.
      changed: () => void (starting.instance && live.includes(starting.instance) && version++),
    }
    const instance = await startPlugin(
      entry,
      input,
      deps.deadlines,
      (error) => deps.reports.failed(error),
      Object.keys(loadedRows()),
    )
    starting.instance = instance
    return instance
  }

  async function replace(entries: readonly PluginEntry[]): Promise<PluginProblem[]> {
    if (entries.length > 0) rows ??= (await import("../contracts/hook-map.ts")).hookMap
    const found: PluginProblem[] = []
    const problem = (error: HookError) => {
      found.push({ plugin: error.plugin, message: error.message })
      problems.set(error.plugin, error.message)
      deps.reports.failed(error)
    }
    const order = inOrder(entries)
    const places = new Map<string, number>()
    problems.clear()
    for (const { id } of order) {
      if (!places.has(id)) places.set(id, places.size)
      else problem(new HookError(id, "start", "another plugin has the same id; give one of them another name"))
    }
    const take = (next: readonly PluginInstance[]) => {
      if (next.length === live.length && next.every((instance, at) => instance === live[at])) return
      live = next.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
      version++
      deps.onChange()
    }

    const gone = live.filter(({ id }) => !places.has(id))
    take(live.filter(({ id }) => places.has(id)))
    for (const instance of gone) leave(instance)
    for (const id of places.keys()) {
      const entry = order.find((each) => each.id === id) as PluginEntry
      const old = live.find((instance) => instance.id === id)
      if (old?.entry === entry) continue
      try {
        const instance = await start(entry)
        if (isClosed) {
          await dispatch.dispose(instance)
          continue
        }
        take([...live.filter((each) => each !== old), instance])
        if (old) leave(old)
      } catch (error) {
        problem(error instanceof HookError ? error : new HookError(id, "start", String(error)))
      }
    }
    // Those that stay may have come to other places.
    take(live.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0)))
    return found
  }

  return {
    hooks: createHooks({ dispatch, toolsOf: tools.read, instances: () => live, version: () => version }),
    dispatch,
    describe: (instance) => ({ hooks: takenHooks(instance.hooks, loadedRows()), tools: tools.count(instance) }),
    problems,
    instances: () => live,
    set(entries) {
      const done = work.then(() => replace(entries))
      work = done.catch(() => undefined)
      return done
    },
    async close() {
      isClosed = true
      const last = live
      closing.resolve()
      for (const instance of last) leave(instance)
      await Promise.all(leaving)
      live = []
    },
  }
}

/** The order of equal priorities is kept. */
function inOrder(entries: readonly PluginEntry[]): PluginEntry[] {
  return entries.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0))
}
