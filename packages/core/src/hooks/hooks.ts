import { type Deadlines, within } from "../deadlines.ts"
import { HookError, messageOf } from "../errors.ts"
import type { EngineEvent } from "../events.ts"
import type { SessionID } from "../ids.ts"
import { offeredTools } from "../tool/offered-tools.ts"
import { asJSON, readBack } from "./draft.ts"
import { createEventQueue, type EventQueue } from "./event-queue.ts"
import type { HookMap, HookName } from "./hook-map.ts"
import { createPluginFailures, type PluginFailures } from "./plugin-failures.ts"
import type { CalledHookName, HookHandler, HookInput, HookOutput, PluginEntry, PluginHooks } from "./plugin.ts"

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
   * Tells all handlers and waits for none; failures are reported. Each plugin is told of events one after the other;
   * `dispose` follows those that still wait, but not later than a deadline. The promise is for those who close.
   */
  observe<N extends NameOf<"observer">>(name: N, input: HookInput<N>): Promise<void>
  /** The tools of all plugins, in their order. */
  readonly tools: readonly NonNullable<PluginHooks["tool"]>[]
}

/** Who wants to know what became of a draft. */
export interface DraftListener<T> {
  /** After each handler that did not fail, whether or not it changed anything. Values: do not change them. */
  onDraft(plugin: string, before: T, after: T): void
}

export interface HookReports {
  /** A plugin that did not start, a tool that cannot be offered, or a handler that was skipped. */
  failed(error: HookError, sessionID?: SessionID): void
  /** Once for a plugin and a session. */
  disabled(plugin: string, sessionID: SessionID): void
}

interface Loaded {
  readonly id: string
  readonly hooks: PluginHooks
  readonly failures: PluginFailures
}

interface Plugin extends Loaded {
  readonly events: EventQueue
}

type Outcome<N extends CalledHookName> = { readonly output: HookOutput<N> } | { readonly error: HookError }

/** Starts the plugins in their order. One that fails to start is reported and left out. */
export async function loadHooks(
  entries: readonly PluginEntry[],
  deadlines: Deadlines,
  reports: HookReports,
): Promise<Hooks> {
  const plugins: Loaded[] = []
  for (const { id, plugin, options = {} } of inOrder(entries)) {
    try {
      const started = Promise.resolve(plugin({ options }))
      const given = await within(deadlines.guardHook, started, () => new Error("it did not start in time"))
      const hooks = typeof given === "object" && given !== null ? given : {}
      const { problems } = offeredTools(hooks.tool)
      plugins.push({ id, hooks, failures: createPluginFailures() })
      for (const problem of problems) reports.failed(new HookError(id, "tool", problem))
    } catch (error) {
      reports.failed(new HookError(id, "start", messageOf(error), { cause: error }))
    }
  }
  return createHooks(plugins, deadlines, reports)
}

function createHooks(loaded: readonly Loaded[], deadlines: Deadlines, reports: HookReports): Hooks {
  const plugins = loaded.map((plugin): Plugin => ({ ...plugin, events: eventsOf(plugin) }))
  const taking = (name: CalledHookName) => plugins.filter(({ hooks }) => handlerOf(hooks, name))

  function eventsOf(plugin: Loaded): EventQueue {
    const tell = async (event: EngineEvent) => {
      if (!plugin.failures.isDisabled(sessionOf({ event }))) await call(plugin, "event", { event }, {})
    }
    return createEventQueue(tell, (longest) => {
      const reason = `more than ${longest} events wait for it: the oldest are left out, deltas first, until it has caught up`
      reports.failed(new HookError(plugin.id, "event", reason))
    })
  }

  async function finishEvents({ id, events }: Plugin): Promise<void> {
    const deadline = deadlines.transformHook
    const late = () => new HookError(id, "event", `${events.clear()} events still waited for it after ${deadline} ms`)
    await within(deadline, events.idle(), late).catch((error: HookError) => reports.failed(error))
  }

  async function call<N extends CalledHookName>(
    { id, hooks, failures }: Loaded,
    name: N,
    input: HookInput<N>,
    draft: HookOutput<N>,
    signal?: AbortSignal,
  ): Promise<Outcome<N>> {
    const sessionID = sessionOf(input)
    const { hookMap } = await import("./hook-map.ts")
    signal?.throwIfAborted()
    const isGuard = hookMap[name].class === "guard"
    const deadline = isGuard ? deadlines.guardHook : deadlines.transformHook
    let isRefusal = false
    try {
      const own = asJSON(draft) as HookOutput<N>
      const run = (async () => handlerOf(hooks, name)?.call(hooks, deepFreeze(structuredClone(input)), own))()
      // Guards refuse by throwing: that is their work, not a failure.
      run.catch(() => (isRefusal = isGuard))
      const returned = await within(deadline, run, () => new Error(`it took longer than ${deadline} ms`), signal)
      const output = readBack(hookMap[name].output, returned, own) as HookOutput<N>
      failures.clear(sessionID, name)
      return { output }
    } catch (cause) {
      if (signal?.aborted && cause === signal.reason) throw cause
      const error = new HookError(id, name, messageOf(cause), { cause })
      // The failure of a guard shows in what it refuses.
      if (!isGuard && !failures.isDisabled(sessionID)) reports.failed(error, sessionID)
      if (!isRefusal && failures.add(sessionID, name)) reports.disabled(id, sessionID as SessionID)
      return { error }
    }
  }

  return {
    tools: plugins.flatMap(({ hooks }) => (hooks.tool ? [hooks.tool] : [])),
    has: (name) => taking(name).length > 0,
    async guard(name, input, draft, signal) {
      let output = draft
      for (const plugin of taking(name)) {
        const { id, failures } = plugin
        const sessionID = sessionOf(input)
        if (failures.isDisabled(sessionID) && failures.has(sessionID, name)) throw new HookError(id, name, DISABLED)
        const outcome = await call(plugin, name, input, output, signal)
        if ("error" in outcome) throw outcome.error
        output = outcome.output
      }
      return output
    },
    async transform(name, input, draft, signal, listener) {
      let output = draft
      for (const plugin of taking(name)) {
        if (plugin.failures.isDisabled(sessionOf(input))) continue
        const outcome = await call(plugin, name, input, output, signal)
        if (!("output" in outcome)) continue
        listener?.onDraft(plugin.id, output, outcome.output)
        output = outcome.output
      }
      return output
    },
    async observe(name, input) {
      if ("event" in input) {
        const active = taking(name).filter(({ failures }) => !failures.isDisabled(sessionOf(input)))
        await Promise.all(active.map(({ events }) => events.add(input.event)))
        return
      }
      if (name !== "dispose") {
        const active = taking(name).filter(({ failures }) => !failures.isDisabled(sessionOf(input)))
        await Promise.all(active.map((plugin) => call(plugin, name, input, {} as HookOutput<typeof name>)))
        return
      }
      await Promise.all(
        plugins.map(async (plugin) => {
          await finishEvents(plugin)
          if (handlerOf(plugin.hooks, name)) await call(plugin, name, input, {} as HookOutput<typeof name>)
        }),
      )
    },
  }
}

const DISABLED = "it failed three times in a row and is disabled for this session, so what it guards stays refused"

function sessionOf(input: object): SessionID | undefined {
  const about = "event" in input ? (input as HookInput<"event">).event.properties : input
  return "sessionID" in about ? (about.sessionID as SessionID) : undefined
}

function handlerOf<N extends CalledHookName>(hooks: PluginHooks, name: N): HookHandler<N> | undefined {
  const handler: unknown = hooks[name] ?? hooks[`experimental.${name}`]
  return typeof handler === "function" ? (handler as HookHandler<N>) : undefined
}

/** The order of equal priorities is kept. */
function inOrder(entries: readonly PluginEntry[]): PluginEntry[] {
  return entries.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0))
}

function deepFreeze<T>(value: T): T {
  // What is frozen has been here before: values may contain themselves.
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) deepFreeze(inner)
  return value
}
