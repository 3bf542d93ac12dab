import { HookError } from "../base/errors.ts"
import type { SessionID } from "../base/ids.ts"
import { createDispatch, type Dispatch, type DispatchDeps } from "./dispatch.ts"
import { createHooks, type Hooks } from "./hooks.ts"
import type { HookMap, HookName } from "../contracts/hook-map.ts"
import { type PluginInstance, startPlugin } from "./instance.ts"
import { createPluginToolReader } from "./plugin-tools.ts"
import type { PluginEntry, PluginInput } from "./plugin.ts"
import { takenHooks } from "./read-hooks.ts"

/** A problem that prevents a plugin from working as configured. */
export interface PluginProblem {
  readonly plugin: string
  readonly message: string
}

/** The plugins of an engine, in order: by priority, then as given. */
export interface Plugins {
  /** Hooks of the current plugins. */
  readonly hooks: Hooks
  readonly dispatch: Pick<Dispatch, "ask" | "blame">
  /** Problems by plugin, including plugins that did not start. */
  readonly problems: ReadonlyMap<string, string>
  instances(): readonly PluginInstance[]
  /** Returns the hooks that a plugin handles, and the number of tools that it offered last. */
  describe(instance: PluginInstance): { readonly hooks: readonly HookName[]; readonly tools: number }
  /**
   * Replaces all plugins, by id. The same entry stays unchanged. Another entry with a known id is started before the
   * old plugin leaves, which stays if that fails. Plugins start one after the other, and each is active immediately. A
   * leaving plugin is disposed once it is unused; this does not wait for that. A plugin must not await this while it
   * starts.
   */
  set(entries: readonly PluginEntry[]): Promise<readonly PluginProblem[]>
  /** Disposes all plugins, even those in use, and starts no more. */
  close(): Promise<void>
}

export interface PluginsDeps extends Omit<DispatchDeps, "rows"> {
  /** Returns the plugin's input other than its options. */
  readonly input: () => Pick<PluginInput<unknown>, "engine">
  readonly notice: (message: string, sessionID?: SessionID) => void
  /** Called when the plugins have changed. */
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

  /** Lets a plugin leave, once, even if it closes the engine during its disposal. */
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
      // A change that the plugin reports counts only while it is active.
      changed: () => void (starting.instance && live.includes(starting.instance) && version++),
    }
    const instance = await startPlugin(
      entry,
      input,
      deps.deadlines,
      (error) => deps.reports.failed(error),
      loadedRows(),
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
    const positions = new Map<string, number>()
    problems.clear()
    for (const { id } of order) {
      if (!positions.has(id)) positions.set(id, positions.size)
      else problem(new HookError(id, "start", "another plugin has the same id; give one of them another name"))
    }
    const take = (next: readonly PluginInstance[]) => {
      if (next.length === live.length && next.every((instance, at) => instance === live[at])) return
      live = next.toSorted((a, b) => (positions.get(a.id) ?? 0) - (positions.get(b.id) ?? 0))
      version++
      deps.onChange()
    }

    const gone = live.filter(({ id }) => !positions.has(id))
    take(live.filter(({ id }) => positions.has(id)))
    for (const instance of gone) leave(instance)
    for (const id of positions.keys()) {
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
    // The remaining plugins may have moved.
    take(live.toSorted((a, b) => (positions.get(a.id) ?? 0) - (positions.get(b.id) ?? 0)))
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

/** Sorts by priority, and keeps the order of equal priorities. */
function inOrder(entries: readonly PluginEntry[]): PluginEntry[] {
  return entries.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0))
}
