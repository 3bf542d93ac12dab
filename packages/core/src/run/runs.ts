import { SessionBusyError } from "../base/errors.ts"
import type { MessageID, SessionID } from "../base/ids.ts"
import type { Revision } from "../contracts/storage.ts"
import { type Budget, createBudget } from "../budget/budget.ts"
import { isLimitReached, type RunLimits } from "../budget/limits.ts"
import {
  type ChildRuns,
  type DelegateFactory,
  type DelegatingRun,
  own,
  type RunInput,
  type RunLinks,
  type RunsDeps,
} from "./owned-run.ts"
import type { RunResult } from "./run-result.ts"
import { createSharedUsage } from "../budget/shared-usage.ts"
import { isWaitingInfo } from "../record/waiting.ts"
import type { Prepare, Runs, StartOptions, WaitingStart } from "./run-api.ts"

interface Run {
  readonly controller: AbortController
  /** Resolves when the run holds the lease. */
  readonly owned: Promise<void>
  readonly result: Promise<RunResult>
  readonly only: StartOptions["only"]
  readonly budget: Budget
  /** Announces that an urgent prompt was stored. */
  readonly raise: (id: MessageID) => void
}

export function createRuns(deps: RunsDeps, createDelegate: DelegateFactory): Runs {
  const runs = new Map<SessionID, Run>()
  /** Calls of `start` and `send` that have not ended. One may begin a run after the present one. */
  const calls = new Map<SessionID, Set<Promise<unknown>>>()
  const sharedUsage = createSharedUsage(deps.store)
  let isClosed = false

  async function abort(sessionID: SessionID): Promise<void> {
    const run = runs.get(sessionID)
    run?.controller.abort()
    await run?.result.catch(() => undefined)
  }

  function begin(sessionID: SessionID, options: StartOptions): Promise<RunResult> {
    const controller = new AbortController()
    const { signal } = options
    const onAbort = () => controller.abort(signal?.reason)
    signal?.addEventListener("abort", onAbort, { once: true })
    if (signal?.aborted) onAbort()
    // A run that works for another run is bound by the limits of that run.
    const limits = (options.budget ? options.limits : { ...deps.settings().limits, ...options.limits }) ?? {}
    const shared = options.budget ? [] : sharedUsage.of(sessionID, limits)
    const budget = createBudget(limits, { above: options.budget, shared })
    budget.signal.addEventListener("abort", () => controller.abort(), { once: true })
    const { promise: owned, resolve } = Promise.withResolvers<void>()
    const links: RunLinks = { raise: () => undefined }
    const afterRequest: (() => void)[] = []
    const onceRequested = (work: () => void) => void afterRequest.push(work)
    const prepare = async () => {
      resolve()
      await options.prepare?.({ signal: controller.signal, isQueued: false, budget, onceRequested })
    }
    const input: RunInput = {
      ...{ sessionID, controller, budget, links, only: options.only, ...optional(options) },
      onFirstRequest: () => afterRequest.forEach((work) => work()),
    }
    const create = async () => {
      await options.create?.({ signal: controller.signal, isQueued: false, budget, onceRequested })
    }
    const result = runUntilIdle(input, create, prepare).finally(() => {
      runs.delete(sessionID)
      signal?.removeEventListener("abort", onAbort)
      budget.close()
    })
    runs.set(sessionID, { controller, owned, result, only: options.only, budget, raise: (id) => links.raise(id) })
    return result
  }

  /** Runs again while prompts arrived after the last read of a run and before it released its lease. */
  async function runUntilIdle(
    input: RunInput,
    create: () => Promise<void>,
    prepare: () => Promise<void>,
  ): Promise<RunResult> {
    await create()
    let { result, revision } = await own(deps, delegateTo, input, prepare)
    while (
      canContinue(result) &&
      !input.controller.signal.aborted &&
      (await hasNewPrompts(deps.store, input.sessionID, revision))
    ) {
      if (input.only) {
        const following = new Promise(setImmediate).then(async () => start(input.sessionID))
        counted(input.sessionID, following).catch(() => undefined)
        break
      }
      try {
        ;({ result, revision } = await own(deps, delegateTo, input, async () => undefined))
      } catch (error) {
        // Another owner was quicker, and delivers the prompt.
        if (error instanceof SessionBusyError) break
        throw error
      }
    }
    return result
  }

  async function join(run: Run, sessionID: SessionID, prepare: Prepare, limits: RunLimits): Promise<RunResult> {
    const { controller, owned, result, budget } = run
    // A run that never owns the session rejects.
    await Promise.race([owned, result])
    await prepare({ signal: controller.signal, isQueued: true, budget, onceRequested: (work) => work() })
    const answered = await result
    try {
      return await thenContinue(run, sessionID, limits, answered)
    } catch (error) {
      // Another owner was quicker, and answers the prompt.
      if (error instanceof SessionBusyError) return answered
      throw error
    }
  }

  /** Starts another run, because a message may have been stored just after the last read of this run. */
  async function thenContinue({ controller }: Run, sessionID: SessionID, limits: RunLimits, result: RunResult) {
    return controller.signal.aborted || !canContinue(result) ? result : start(sessionID, { limits })
  }

  /** Does the work once an aborted run has ended: it would not answer another prompt. */
  async function afterEnd({ result }: Run, work: () => Promise<RunResult>): Promise<RunResult> {
    await result.catch(() => undefined)
    return work()
  }

  async function start(sessionID: SessionID, options: StartOptions = {}): Promise<RunResult> {
    const current = runs.get(sessionID)
    if (current?.controller.signal.aborted) return afterEnd(current, () => start(sessionID, options))
    const { prepare, limits = {} } = options
    if (current && prepare) return join(current, sessionID, prepare, limits)
    // A compact-only run does not answer prompts, so another run follows it.
    if (current?.only && !options.only) return thenContinue(current, sessionID, limits, await current.result)
    if (current) return current.result
    if (isClosed) throw new TypeError("The engine is closed: create another one.")
    return begin(sessionID, options)
  }

  async function send(sessionID: SessionID, prompt: WaitingStart): Promise<RunResult> {
    const { prepare, store, limits = {} } = prompt
    const current = runs.get(sessionID)
    if (current?.controller.signal.aborted) return afterEnd(current, () => send(sessionID, prompt))
    if (!current) {
      try {
        return await start(sessionID, { prepare, limits })
      } catch (error) {
        if (!(error instanceof SessionBusyError)) throw error
      }
    }
    const { messageID, isUrgent } = await store()
    const run = runs.get(sessionID)
    if (isUrgent) run?.raise(messageID)
    try {
      // The present owner finds the prompt, or has released the session by then.
      if (!run) return await start(sessionID, { limits, waitMs: 0 })
      return await thenContinue(run, sessionID, limits, await run.result)
    } catch (error) {
      if (error instanceof SessionBusyError) return { type: "queued", messageID }
      throw error
    }
  }

  function counted(sessionID: SessionID, call: Promise<RunResult>): Promise<RunResult> {
    const open = calls.get(sessionID) ?? new Set()
    calls.set(sessionID, open.add(call))
    const end = () => {
      open.delete(call)
      if (open.size === 0) calls.delete(sessionID)
    }
    call.then(end, end)
    return call
  }

  const self: ChildRuns = {
    start: (sessionID, options) => counted(sessionID, start(sessionID, options)),
    has: (sessionID) => runs.has(sessionID),
  }
  const delegateTo = (run: DelegatingRun) => createDelegate(self, run)
  return {
    ...self,
    abort,
    send: (sessionID, prompt) => counted(sessionID, send(sessionID, prompt)),
    async untilIdle(sessionID) {
      for (let open = calls.get(sessionID); open; open = calls.get(sessionID)) await Promise.allSettled(open)
    },
    async close() {
      isClosed = true
      await Promise.all([...runs.keys()].map((sessionID) => abort(sessionID)))
      sharedUsage.close()
    },
  }
}

function optional({ alive, waitMs }: StartOptions): Pick<RunInput, "alive" | "waitMs"> {
  return { ...(alive ? { alive } : {}), ...(waitMs === undefined ? {} : { waitMs }) }
}

/** Returns false if a limit or the user ended the work: waiting prompts then wait until the session is resumed. */
function canContinue(result: RunResult): boolean {
  return result.type !== "aborted" && !isLimitReached(result)
}

async function hasNewPrompts(
  { storage }: RunsDeps["store"],
  sessionID: SessionID,
  revision: Revision,
): Promise<boolean> {
  const changes = await storage.readChanges(sessionID, revision)
  return changes.some((change) => change.type === "message.put" && isWaitingInfo(change.message))
}
