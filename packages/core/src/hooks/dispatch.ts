import { type Deadlines, within } from "../base/deadlines.ts"
import { HookError, messageOf } from "../base/errors.ts"
import type { EngineEvent } from "../contracts/events.ts"
import type { SessionID } from "../base/ids.ts"
import { createDraft } from "./draft.ts"
import { createEventQueue, type EventQueue } from "./event-queue.ts"
import type { HookMap, HookName } from "../contracts/hook-map.ts"
import type { PluginInstance } from "./instance.ts"
import type { CalledHookName } from "./plugin.ts"
import type { HookInput, HookOutput } from "../contracts/hooks.ts"
import { handlerOf, placeOf } from "./read-hooks.ts"

export interface HookReports {
  /** Reports a plugin that did not start, an invalid tool, or a skipped handler. */
  failed(error: HookError, sessionID?: SessionID): void
  /** Called once for each plugin and session. */
  disabled(plugin: string, sessionID: SessionID): void
}

export interface DispatchDeps {
  readonly deadlines: Pick<Deadlines, "guardHook" | "transformHook">
  readonly reports: HookReports
  /** Returns the hook map, which is loaded before the first plugin. */
  readonly rows: () => HookMap
  /** Returns the topmost session if it is known without a look-up. */
  readonly rootOf: (sessionID: SessionID) => SessionID | undefined
}

export type Outcome<N extends CalledHookName> = { readonly output: HookOutput<N> } | { readonly error: HookError }

export interface CallOptions {
  readonly sessionID?: SessionID
  readonly signal?: AbortSignal
}

/** Calls one plugin at a time: applies deadlines, counts and reports failures, and prevents disposal during a call. */
export interface Dispatch {
  /** Calls a handler. `input` is frozen. Rejects only with the signal's reason once the signal aborts. */
  call<N extends CalledHookName>(
    instance: PluginInstance,
    name: N,
    input: HookInput<N>,
    draft: HookOutput<N>,
    signal?: AbortSignal,
  ): Promise<Outcome<N>>
  /** Calls a function of the plugin that is not a handler. Rejects with HookError, or with the signal's reason. */
  ask<T>(instance: PluginInstance, name: HookName, work: () => Promise<T> | T, options?: CallOptions): Promise<T>
  /** Reports and counts a failure that shows only later: the plugin has made its input unusable. */
  blame(instance: PluginInstance, name: HookName, reason: string, sessionID?: SessionID): HookError
  /** Sends the plugin an event, after the earlier ones. Resolves when its queue is empty. */
  tell(instance: PluginInstance, event: EngineEvent): Promise<void>
  /** Disposes the plugin after it has handled its waiting events, or after a deadline. Never rejects. */
  dispose(instance: PluginInstance): Promise<void>
}

export function createDispatch({ deadlines, reports, rows, rootOf }: DispatchDeps): Dispatch {
  const queues = new WeakMap<PluginInstance, EventQueue>()
  const reported = new WeakMap<PluginInstance, Set<string>>()

  function failed(instance: PluginInstance, name: HookName, cause: unknown, sessionID?: SessionID): HookError {
    const error = new HookError(instance.id, name, `${messageOf(cause)}${placeOf(instance.entry, cause)}`, { cause })
    // A guard's failure shows in its refusal.
    if (rows()[name].class !== "guard") report(instance, error, sessionID)
    return error
  }

  function report({ failures }: PluginInstance, error: HookError, sessionID: SessionID | undefined): void {
    if (!failures.isDisabled(sessionID)) reports.failed(error, sessionID)
  }

  /** Reports once for each plugin and text. */
  function reportOnce(instance: PluginInstance, error: HookError, sessionID: SessionID | undefined): void {
    const known = reported.get(instance) ?? new Set()
    reported.set(instance, known)
    if (known.has(error.message) || known.size >= MAX_REPORTED) return
    known.add(error.message)
    report(instance, error, sessionID)
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
    let isCrash = false
    let isFailure = false
    try {
      const { own, readBack, nonsense } = createDraft(row.output, draft)
      const run = (async () => {
        const handler = handlerOf(hooks, name)
        // The handler existed a moment ago.
        if (!handler && isGuard) throw new Error("its handler is gone")
        return handler?.call(hooks, input, own as HookOutput<N>)
      })()
      // Guards refuse by throwing, which is not a failure.
      run.catch((error: unknown) => {
        isCrash = isGuard && isMistake(error)
        isRefusal = isGuard && !isCrash
      })
      const returned = await within(deadline, run, () => new Error(`it took longer than ${deadline} ms`), signal)
      const output = row.class === "observer" ? draft : (readBack(returned) as HookOutput<N>)
      const wrong = row.class === "observer" ? undefined : nonsense(returned)
      // A guard may have meant to refuse this way, so it must not let the action through.
      if (wrong !== undefined && isGuard) throw new TypeError(wrong)
      if (wrong !== undefined) {
        isFailure = true
        reportOnce(instance, new HookError(instance.id, name, wrong), sessionID)
      }
      failures.clear(sessionID, name)
      return { output }
    } catch (cause) {
      if (signal?.aborted && cause === signal.reason) throw cause
      isFailure = !isRefusal
      const error = isRefusal
        ? new HookError(instance.id, name, messageOf(cause), { cause })
        : failed(instance, name, cause, sessionID)
      if (isCrash) reportOnce(instance, error, sessionID)
      // A guard that crashes on one call may still judge the next.
      else if (isFailure) count(instance, name, sessionID)
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
    { sessionID, signal }: CallOptions = {},
  ): Promise<T> {
    const deadline = deadlines.transformHook
    const release = instance.hold()
    const began = performance.now()
    let isFailure = false
    try {
      const answer = (async () => work())()
      const returned = await within(deadline, answer, () => new Error(`it took longer than ${deadline} ms`), signal)
      instance.failures.clear(sessionID, name)
      return returned
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
    blame(instance, name, reason, sessionID) {
      const error = new HookError(instance.id, name, reason)
      instance.counts.fail(name)
      reportOnce(instance, error, sessionID)
      return error
    },
    tell: (instance, event) => queueOf(instance).add(event),
    async dispose(instance) {
      await finishEvents(instance)
      if (handlerOf(instance.hooks, "dispose")) await call(instance, "dispose", Object.freeze({}), {})
    },
  }
}

/** Maximum number of different problems that are reported for one plugin. */
const MAX_REPORTED = 100

/**
 * Returns whether an error is a mistake of the code or of its environment, such as a missing file. Guards do not refuse
 * with such errors.
 */
function isMistake(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return MISTAKES.has(error.name) || "syscall" in error
}

const MISTAKES: ReadonlySet<string> = new Set(["TypeError", "ReferenceError", "RangeError", "SyntaxError"])

/** Returns the session of an input, if any. */
export function sessionOf(input: object): SessionID | undefined {
  const about = "event" in input ? (input as HookInput<"event">).event.properties : input
  return "sessionID" in about ? (about.sessionID as SessionID) : undefined
}
