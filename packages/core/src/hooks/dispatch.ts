import { type Deadlines, within } from "../deadlines.ts"
import { HookError, messageOf } from "../errors.ts"
import type { EngineEvent } from "../events.ts"
import type { SessionID } from "../ids.ts"
import { createDraft } from "./draft.ts"
import { createEventQueue, type EventQueue } from "./event-queue.ts"
import type { HookMap, HookName } from "./hook-map.ts"
import type { PluginInstance } from "./instance.ts"
import type { CalledHookName, HookInput, HookOutput } from "./plugin.ts"
import { handlerOf } from "./read-hooks.ts"

export interface HookReports {
  /** A plugin that did not start, a tool that cannot be offered, or a handler that was skipped. */
  failed(error: HookError, sessionID?: SessionID): void
  /** Once for a plugin and a session. */
  disabled(plugin: string, sessionID: SessionID): void
}

export interface DispatchDeps {
  readonly deadlines: Pick<Deadlines, "guardHook" | "transformHook">
  readonly reports: HookReports
  /** Loaded before the first plugin is. */
  readonly rows: () => HookMap
  /** The session above all, where it is known without being looked up. */
  readonly rootOf: (sessionID: SessionID) => SessionID | undefined
}

export type Outcome<N extends CalledHookName> = { readonly output: HookOutput<N> } | { readonly error: HookError }

export interface Asked {
  readonly sessionID?: SessionID
  readonly signal?: AbortSignal
}

/** Calls one plugin: with deadlines, its failures counted and reported, and kept from being disposed meanwhile. */
export interface Dispatch {
  /** `input` is frozen. Rejects only with the signal's reason once that aborts. */
  call<N extends CalledHookName>(
    instance: PluginInstance,
    name: N,
    input: HookInput<N>,
    draft: HookOutput<N>,
    signal?: AbortSignal,
  ): Promise<Outcome<N>>
  /** What a function of the plugin gives that is no handler. Rejects with HookError, or with the signal's reason. */
  ask<T>(instance: PluginInstance, name: HookName, work: () => Promise<T> | T, asked?: Asked): Promise<T>
  /** Tells it of an event, after those before; resolves when nothing is left to tell. */
  tell(instance: PluginInstance, event: EngineEvent): Promise<void>
  /** Has it finish what waits for it, but not later than a deadline, and disposes it. Never rejects. */
  dispose(instance: PluginInstance): Promise<void>
}

export function createDispatch({ deadlines, reports, rows, rootOf }: DispatchDeps): Dispatch {
  const queues = new WeakMap<PluginInstance, EventQueue>()

  function failed({ id, failures }: PluginInstance, name: HookName, cause: unknown, sessionID?: SessionID): HookError {
    const error = new HookError(id, name, messageOf(cause), { cause })
    // The failure of a guard shows in what it refuses.
    if (rows()[name].class !== "guard" && !failures.isDisabled(sessionID)) reports.failed(error, sessionID)
    return error
  }

  function count({ id, failures }: PluginInstance, name: HookName, sessionID: SessionID | undefined): void {
    if (failures.add(sessionID, name)) reports.disabled(id, sessionID as SessionID)
  }

  async function call<N extends CalledHookName>(
    instance: PluginInstance,
    name: N,
    input: HookInput<N>,
    draft: HookOutput<N>,
    signal?: AbortSignal,
  ): Promise<Outcome<N>> {
    const { hooks, failures, counts } = instance
    const sessionID = sessionOf(input)
    signal?.throwIfAborted()
    const row = rows()[name]
    const isGuard = row.class === "guard"
    const deadline = isGuard ? deadlines.guardHook : deadlines.transformHook
    const release = instance.hold()
    const began = performance.now()
    let isRefusal = false
    let isFailure = false
    try {
      const { own, readBack } = createDraft(row.output, draft)
      const run = (async () => {
        const handler = handlerOf(hooks, name)
        // It was there a moment ago.
        if (!handler && isGuard) throw new Error("its handler is gone")
        return handler?.call(hooks, input, own as HookOutput<N>)
      })()
      // Guards refuse by throwing: that is their work, not a failure.
      run.catch(() => (isRefusal = isGuard))
      const returned = await within(deadline, run, () => new Error(`it took longer than ${deadline} ms`), signal)
      const output = row.class === "observer" ? draft : (readBack(returned) as HookOutput<N>)
      failures.clear(sessionID, name)
      return { output }
    } catch (cause) {
      if (signal?.aborted && cause === signal.reason) throw cause
      isFailure = !isRefusal
      const error = failed(instance, name, cause, sessionID)
      if (isFailure) count(instance, name, sessionID)
      return { error }
    } finally {
      counts.add(name, performance.now() - began, isFailure)
      release()
    }
  }

  async function ask<T>(
    instance: PluginInstance,
    name: HookName,
    work: () => Promise<T> | T,
    { sessionID, signal }: Asked = {},
  ): Promise<T> {
    const deadline = deadlines.transformHook
    const release = instance.hold()
    const began = performance.now()
    let isFailure = false
    try {
      const asked = (async () => work())()
      const given = await within(deadline, asked, () => new Error(`it took longer than ${deadline} ms`), signal)
      instance.failures.clear(sessionID, name)
      return given
    } catch (cause) {
      if (signal?.aborted && cause === signal.reason) throw cause
      isFailure = true
      const error = failed(instance, name, cause, sessionID)
      count(instance, name, sessionID)
      throw error
    } finally {
      instance.counts.add(name, performance.now() - began, isFailure)
      release()
    }
  }

  function queueOf(instance: PluginInstance): EventQueue {
    const known = queues.get(instance)
    if (known) return known
    const tell = async (event: EngineEvent) => {
      const sessionID = sessionOf({ event })
      if (instance.failures.isDisabled(sessionID)) return
      const rootSessionID = sessionID && rootOf(sessionID)
      await call(instance, "event", Object.freeze({ event, ...(rootSessionID ? { rootSessionID } : {}) }), {})
    }
    const queue = createEventQueue(tell, (longest) => {
      const reason = `more than ${longest} events wait for it: the oldest are left out, deltas first, until it has caught up`
      reports.failed(new HookError(instance.id, "event", reason))
    })
    queues.set(instance, queue)
    return queue
  }

  async function finishEvents(instance: PluginInstance): Promise<void> {
    const events = queues.get(instance)
    if (!events) return
    const deadline = deadlines.transformHook
    const reason = () => `${events.clear()} events still waited for it after ${deadline} ms`
    const late = () => new HookError(instance.id, "event", reason())
    await within(deadline, events.idle(), late).catch((error: HookError) => reports.failed(error))
  }

  return {
    call,
    ask,
    tell: (instance, event) => queueOf(instance).add(event),
    async dispose(instance) {
      await finishEvents(instance)
      if (handlerOf(instance.hooks, "dispose")) await call(instance, "dispose", Object.freeze({}), {})
    },
  }
}

/** The session that an input is about, if any. */
export function sessionOf(input: object): SessionID | undefined {
  const about = "event" in input ? (input as HookInput<"event">).event.properties : input
  return "sessionID" in about ? (about.sessionID as SessionID) : undefined
}
