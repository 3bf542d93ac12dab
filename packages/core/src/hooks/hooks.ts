import { HookError } from "../base/errors.ts"
import type { OfferedTools } from "../contracts/offered-tools.ts"
import { frozenCopy } from "../base/copy.ts"
import { type Dispatch, sessionOf } from "./dispatch.ts"
import type { HookMap, HookName } from "../contracts/hook-map.ts"
import type { SessionID } from "../base/ids.ts"
import type { PluginInstance } from "./instance.ts"
import type { CalledHookName, ToolScope } from "./plugin.ts"
import type { HookInput, HookOutput } from "../contracts/hooks.ts"
import { handlerOf } from "./read-hooks.ts"

type NameOf<C extends HookMap[HookName]["class"]> = {
  [N in CalledHookName]: HookMap[N]["class"] extends C ? N : never
}[CalledHookName]

/**
 * The handlers of all plugins. A plugin that failed three times in a row is disabled for the session: its transforms
 * and observers are no longer called, and a failed guard refuses without being called. Working guards stay active,
 * because removing them would allow what they guard. Its tools also stay.
 */
export interface Hooks {
  /** Returns whether a plugin handles the hook. Calling an unhandled hook costs nothing. */
  has(name: CalledHookName): boolean
  /**
   * Returns the draft after all handlers. Rejects with HookError if a handler throws, is late or leaves an invalid
   * draft. Once the signal aborts, waits for no handler and rejects with its reason, which does not count as a plugin's
   * failure.
   */
  guard<N extends NameOf<"guard">>(
    name: N,
    input: HookInput<N>,
    draft: HookOutput<N>,
    signal?: AbortSignal,
    listener?: DraftListener<HookOutput<N>>,
  ): Promise<HookOutput<N>>
  /**
   * Returns the draft after all handlers. A failing handler is skipped and reported. The signal is the same as for
   * guards.
   */
  transform<N extends NameOf<"transform">>(
    name: N,
    input: HookInput<N>,
    draft: HookOutput<N>,
    signal?: AbortSignal,
    listener?: DraftListener<HookOutput<N>>,
  ): Promise<HookOutput<N>>
  /**
   * Calls all handlers without waiting; failures are reported. Each plugin gets events one after the other. Await the
   * promise only during shutdown.
   */
  observe<N extends Exclude<NameOf<"observer">, "dispose">>(name: N, input: HookInput<N>): Promise<void>
  /**
   * Returns the tools of all plugins, in their order. A plugin that fails to return its tools has no tools this time.
   * Rejects with the reason of the scope's signal once it aborts.
   */
  tools(scope: ToolScope): Promise<readonly PluginsTools[]>
  /**
   * Creates the error for a hook's unusable result that shows only later. Reports it and counts it among the plugin's
   * failures.
   */
  blame(plugin: string, name: CalledHookName, reason: string, sessionID?: SessionID): HookError
  /** Returns a snapshot of the current plugins. Release it to allow their disposal. */
  hold(): HeldHooks
}

export interface HeldHooks extends Hooks {
  /** Changes when the plugins change, or when a plugin reports changed offers. */
  readonly version: number
  readonly release: () => void
}

export interface PluginsTools {
  readonly plugin: string
  readonly tools: OfferedTools["tools"]
  /** Reports the problem of a tool once. */
  readonly report: (problem: string) => void
}

/** Listens to the changes of a draft. */
export interface DraftListener<T> {
  /** Called after each handler that did not fail, with or without changes. Values: do not change them. */
  onDraft(plugin: string, before: T, after: T): void
}

export interface HooksOf {
  readonly dispatch: Dispatch
  readonly toolsOf: (instance: PluginInstance, scope: ToolScope) => Promise<PluginsTools>
  /** Returns the same list until it changes. */
  readonly instances: () => readonly PluginInstance[]
  readonly version: () => number
}

export function createHooks({ dispatch, toolsOf, instances, version }: HooksOf): Hooks {
  let known: readonly PluginInstance[] = []
  let pluginsByHook = new Map<CalledHookName, readonly PluginInstance[]>()

  function pluginsWith(name: CalledHookName): readonly PluginInstance[] {
    const now = instances()
    if (now !== known) {
      known = now
      pluginsByHook = new Map()
    }
    let found = pluginsByHook.get(name)
    if (!found) pluginsByHook.set(name, (found = now.filter(({ hooks }) => handlerOf(hooks, name) !== undefined)))
    return found
  }

  return {
    has: (name) => pluginsWith(name).length > 0,
    async guard(name, input, draft, signal, listener) {
      const plugins = pluginsWith(name)
      if (plugins.length === 0) return draft
      const frozenInput = frozenCopy(input)
      const sessionID = sessionOf(input)
      let output = draft
      return holding(plugins, async () => {
        for (const plugin of plugins) {
          const { id, failures } = plugin
          if (failures.isDisabled(sessionID) && failures.has(sessionID, name)) throw new HookError(id, name, DISABLED)
          const outcome = await dispatch.call(plugin, name, frozenInput, output, signal)
          if ("error" in outcome) throw outcome.error
          listener?.onDraft(plugin.id, output, outcome.output)
          output = outcome.output
        }
        return output
      })
    },
    async transform(name, input, draft, signal, listener) {
      const plugins = pluginsWith(name)
      if (plugins.length === 0) return draft
      const frozenInput = frozenCopy(input)
      const sessionID = sessionOf(input)
      let output = draft
      return holding(plugins, async () => {
        for (const plugin of plugins) {
          if (plugin.failures.isDisabled(sessionID)) continue
          const outcome = await dispatch.call(plugin, name, frozenInput, output, signal)
          if (!("output" in outcome)) continue
          listener?.onDraft(plugin.id, output, outcome.output)
          output = outcome.output
        }
        return output
      })
    },
    async observe(name, input) {
      const sessionID = sessionOf(input)
      const active = pluginsWith(name).filter(({ failures }) => !failures.isDisabled(sessionID))
      if (active.length === 0) return
      const frozenInput = frozenCopy(input)
      const telling = active.map((plugin) =>
        "event" in frozenInput
          ? dispatch.tell(plugin, frozenInput.event)
          : dispatch.call(plugin, name, frozenInput, {} as never),
      )
      await Promise.all<unknown>(telling)
    },
    blame(plugin, name, reason, sessionID) {
      const instance = instances().find(({ id }) => id === plugin)
      // A plugin that has left meanwhile has no failures to count.
      return instance ? dispatch.blame(instance, name, reason, sessionID) : new HookError(plugin, name, reason)
    },
    tools: (scope) => Promise.all(instances().map((instance) => toolsOf(instance, scope))),
    hold() {
      const [now, at] = [instances(), version()]
      const release = holdAll(now)
      return {
        ...createHooks({ dispatch, toolsOf, instances: () => now, version: () => at }),
        version: at,
        release,
      }
    },
  }
}

/** Holds all plugins, so that a plugin that is still to be called is not disposed meanwhile. */
async function holding<T>(plugins: readonly PluginInstance[], work: () => Promise<T>): Promise<T> {
  const release = holdAll(plugins)
  try {
    return await work()
  } finally {
    release()
  }
}

function holdAll(plugins: readonly PluginInstance[]): () => void {
  const releases = plugins.map((instance) => instance.hold())
  return () => {
    for (const release of releases) release()
  }
}

const DISABLED = "it failed three times in a row and is disabled for this session, so what it guards stays refused"
