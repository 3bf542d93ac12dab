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
 * The handlers of all plugins. One that has failed three times in a row is disabled for the session: its transforms and
 * observers are no longer called, and a guard that failed refuses without being called. Guards that work stay, for
 * without them what they guard would be open, and so do its tools.
 */
export interface Hooks {
  /** Whether anyone takes part. Where nobody does, calling costs nothing. */
  has(name: CalledHookName): boolean
  /**
   * The draft after all handlers. The first that throws, is late or leaves nonsense rejects with HookError. Once the
   * signal aborts no handler is waited for: rejects with its reason, which is no failure of a plugin.
   */
  guard<N extends NameOf<"guard">>(
    name: N,
    input: HookInput<N>,
    draft: HookOutput<N>,
    signal?: AbortSignal,
    listener?: DraftListener<HookOutput<N>>,
  ): Promise<HookOutput<N>>
  /** The draft after all handlers; one that fails is skipped and reported. The signal is as for guards. */
  transform<N extends NameOf<"transform">>(
    name: N,
    input: HookInput<N>,
    draft: HookOutput<N>,
    signal?: AbortSignal,
    listener?: DraftListener<HookOutput<N>>,
  ): Promise<HookOutput<N>>
  /**
   * Tells all handlers and waits for none; failures are reported. Each plugin is told of events one after the other.
   * The promise is for those who close.
   */
  observe<N extends Exclude<NameOf<"observer">, "dispose">>(name: N, input: HookInput<N>): Promise<void>
  /**
   * The tools of all plugins, in their order. One that fails to give its tools has none this time. Rejects with the
   * reason of the scope's signal once that aborts.
   */
  tools(scope: ToolScope): Promise<readonly PluginsTools[]>
  /**
   * The error that a plugin has made of something what cannot be used, as is found out behind its hook: reported, and
   * counted among its failures.
   */
  blame(plugin: string, name: CalledHookName, reason: string, sessionID?: SessionID): HookError
  /** The plugins as they are now, whatever takes their place, until they are let go. */
  hold(): HeldHooks
}

export interface HeldHooks extends Hooks {
  /** Another one where there are other plugins, or where one offers something else than before. */
  readonly version: number
  readonly release: () => void
}

export interface PluginsTools {
  readonly plugin: string
  readonly tools: OfferedTools["tools"]
  /** Tells, once, what is wrong with one of them. */
  readonly report: (problem: string) => void
}

/** Who wants to know what became of a draft. */
export interface DraftListener<T> {
  /** After each handler that did not fail, whether or not it changed anything. Values: do not change them. */
  onDraft(plugin: string, before: T, after: T): void
}

export interface HooksOf {
  readonly dispatch: Dispatch
  readonly toolsOf: (instance: PluginInstance, scope: ToolScope) => Promise<PluginsTools>
  /** The same list until it changes. */
  readonly instances: () => readonly PluginInstance[]
  readonly version: () => number
}

export function createHooks({ dispatch, toolsOf, instances, version }: HooksOf): Hooks {
  let known: readonly PluginInstance[] = []
  let takingPart = new Map<CalledHookName, readonly PluginInstance[]>()

  function taking(name: CalledHookName): readonly PluginInstance[] {
    const now = instances()
    if (now !== known) {
      known = now
      takingPart = new Map()
    }
    let found = takingPart.get(name)
    if (!found) takingPart.set(name, (found = now.filter(({ hooks }) => handlerOf(hooks, name) !== undefined)))
    return found
  }

  return {
    has: (name) => taking(name).length > 0,
    async guard(name, input, draft, signal, listener) {
      const plugins = taking(name)
      if (plugins.length === 0) return draft
      const told = frozenCopy(input)
      const sessionID = sessionOf(input)
      let output = draft
      return holding(plugins, async () => {
        for (const plugin of plugins) {
          const { id, failures } = plugin
          if (failures.isDisabled(sessionID) && failures.has(sessionID, name)) throw new HookError(id, name, DISABLED)
          const outcome = await dispatch.call(plugin, name, told, output, signal)
          if ("error" in outcome) throw outcome.error
          listener?.onDraft(plugin.id, output, outcome.output)
          output = outcome.output
        }
        return output
      })
    },
    async transform(name, input, draft, signal, listener) {
      const plugins = taking(name)
      if (plugins.length === 0) return draft
      const told = frozenCopy(input)
      const sessionID = sessionOf(input)
      let output = draft
      return holding(plugins, async () => {
        for (const plugin of plugins) {
          if (plugin.failures.isDisabled(sessionID)) continue
          const outcome = await dispatch.call(plugin, name, told, output, signal)
          if (!("output" in outcome)) continue
          listener?.onDraft(plugin.id, output, outcome.output)
          output = outcome.output
        }
        return output
      })
    },
    async observe(name, input) {
      const sessionID = sessionOf(input)
      const active = taking(name).filter(({ failures }) => !failures.isDisabled(sessionID))
      if (active.length === 0) return
      const told = frozenCopy(input)
      const telling = active.map((plugin) =>
        "event" in told ? dispatch.tell(plugin, told.event) : dispatch.call(plugin, name, told, {} as never),
      )
      await Promise.all<unknown>(telling)
    },
    blame(plugin, name, reason, sessionID) {
      const instance = instances().find(({ id }) => id === plugin)
      // One that has left meanwhile has nobody to count for.
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

/** A plugin whose turn is still to come is not disposed meanwhile. */
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
