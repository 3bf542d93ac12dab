import { pendingCompaction } from "../record/compaction-record.ts"
import type { RepetitionSettings } from "../repetition/response.ts"
import { NotFoundError, StaleLeaseError, type StoredError, toStoredError } from "../base/errors.ts"
import type { MessageID, SessionID } from "../base/ids.ts"
import type { Lease, Revision, Write } from "../contracts/storage.ts"
import type { Delegate } from "../contracts/delegate.ts"
import { acquireSoon, busyError } from "../store/acquire-soon.ts"
import { readAncestors } from "../store/ancestors.ts"
import { createCacheMonitor } from "../cache/cache-monitor.ts"
import { deliver, duePrompts } from "../inbox/deliver.ts"
import { endLeft } from "../store/end-left.ts"
import { type History, type HistoryDeps, openHistory } from "../store/history.ts"
import { createInterrupts } from "../inbox/interrupts.ts"
import { readWorkspace } from "../workspace/workspace.ts"
import { createJournal, type Journal } from "../store/journal.ts"
import { type Budget, withHeartbeat } from "../budget/budget.ts"
import type { RunLimits } from "../budget/limits.ts"
import { type LoopDeps, runLoop } from "./loop.ts"
import { isAssistant, type ModelRef, type Session } from "../record/message.ts"
import { createBackgroundSummary } from "../compaction/background-summary.ts"
import { leftCompacting } from "../compaction/compacting-time.ts"
import { recoveryWrites } from "./recovery.ts"
import { keepRenewed } from "../store/renewal.ts"
import { createRepetitionGuard } from "../repetition/repetition-guard.ts"
import { endedByDeadline, type RunResult, toResult } from "./run-result.ts"
import type { Runs } from "./run-api.ts"
import { createFileWatcher } from "../undo/watch-files.ts"
import { composePolicies } from "./policies.ts"
import { type ContextsDeps, type ContextSettings, createStepContexts } from "./step/contexts.ts"

export interface RunSettings extends ContextSettings {
  readonly instructionFiles: readonly string[]
  /** Limits of each run that does not work for another run. */
  readonly limits: RunLimits
}

export interface RunsDeps extends LoopDeps {
  readonly settings: () => RunSettings
  readonly defaults: ContextsDeps["defaults"] & {
    readonly repetition: RepetitionSettings
    /** Maximum depth of subagent sessions. 1: subagents have no subagents. */
    readonly subagentDepth: number
  }
  /** Called once for each run, after its first answer has begun. For background work that must not delay the answer. */
  readonly onFirstAnswer: (session: Session) => void
}

/** Functions that reach into a running run. The run sets them when it begins. */
export interface RunLinks {
  raise: (id: MessageID) => void
}

export interface RunInput {
  readonly sessionID: SessionID
  readonly controller: AbortController
  readonly budget: Budget
  readonly links: RunLinks
  /** Called once the run's first request has left. */
  readonly onFirstRequest: () => void
  readonly only: "compaction" | undefined
  readonly alive?: () => void
  readonly waitMs?: number
}

/** The result of a run. `revision`: prompts that were stored up to it are delivered. */
export interface Owned {
  readonly result: RunResult
  readonly revision: Revision
}

/** Starts runs of subagents. */
export type ChildRuns = Pick<Runs, "start" | "has">

/** Returns a function that hands the work of a run's calls to subagents. */
export type DelegateFactory = (runs: ChildRuns, run: DelegatingRun) => Delegate

/**
 * Acquires the session, works until nothing is left to do, and releases it. Rejects with SessionBusyError if another
 * owner holds the session.
 */
export async function own(
  deps: RunsDeps,
  delegateTo: (run: DelegatingRun) => Delegate,
  run: RunInput,
  prepare: () => Promise<void>,
): Promise<Owned> {
  const { store } = deps
  const { storage, bus, deadlines } = store
  const { sessionID, controller } = run
  // Callers that send a prompt from now on find the session busy, and a compact-only run does not deliver prompts.
  const since = run.only && (await storage.readContext(sessionID)).revision
  const lease = await acquireSoon(storage, sessionID, store.owner, deadlines.lease, run.waitMs)
  if (!lease) throw await busyError(storage, sessionID)
  const stopRenewal = keepRenewed(lease, deadlines.lease, (error) => controller.abort(error))
  try {
    bus.publish("session.status", { sessionID, status: { type: "busy" } })
    const owned = await runOwned(deps, delegateTo, run, lease, prepare)
    const error = "answer" in owned.result ? owned.result.answer?.info.error : undefined
    if (error) bus.publish("session.error", { sessionID, error: error as StoredError })
    return since === undefined ? owned : { ...owned, revision: since }
  } catch (error) {
    const { aborted, reason } = controller.signal
    if (aborted && error === reason && !(error instanceof StaleLeaseError)) {
      bus.publish("session.error", { sessionID, error: toStoredError(error) })
      return { result: endedByDeadline(run.budget) ?? { type: "aborted" }, revision: 0 }
    }
    bus.publish("session.error", { sessionID, error: toStoredError(error) })
    throw error
  } finally {
    stopRenewal()
    // A lease that cannot be released expires.
    await lease.release().catch((error: unknown) => {
      bus.publish("session.error", { sessionID, error: toStoredError(error) })
    })
    bus.publish("session.status", { sessionID, status: { type: "idle" } })
    bus.publish("session.idle", { sessionID })
  }
}

async function runOwned(
  deps: RunsDeps,
  delegateTo: (run: DelegatingRun) => Delegate,
  input: RunInput,
  lease: Lease,
  prepare: () => Promise<void>,
): Promise<Owned> {
  const { store, settings } = deps
  const { storage, bus } = store
  const { sessionID, only, links } = input
  const { signal } = input.controller
  const journal = createJournal(store, sessionID, lease.token)
  try {
    const stored = await storage.getSession(sessionID)
    if (!stored) throw new NotFoundError(`Session ${sessionID} does not exist.`)
    const workspace = readWorkspace({ settings, bus, workspace: deps.workspace }, stored)
    // Reading a long history causes garbage collection in later turns of the event loop. Read the workspace first, so
    // that fewer turns precede the first request.
    await workspace.begun
    const history = await openHistory(store, sessionID)
    const { damaged } = history
    if (damaged?.length) bus.publish("storage.damaged", { sessionID, problems: [...damaged] })
    const stopped = await endLeft(deps.calls.processes, history.messages)
    const left = recoveryWrites(history.messages, store.now(), { runsCalls: !only, stopped })
    await journal.commit([...left, ...leftCompacting(stored)])
    // A compact-only run does not answer prompts.
    if (!only) await deliverLeft(deps, journal, history)
    await prepare()
    const session = history.session.parentID
      ? ((await storage.getSession(sessionID)) ?? history.session)
      : history.session
    const above = await readAncestors(storage, session)
    const rootSessionID = above.at(-1)?.id ?? session.id
    store.roots.learn(session.id, rootSessionID)
    const alive = input.alive ?? (() => undefined)
    const isDeepest = above.length >= deps.defaults.subagentDepth
    const contexts = createStepContexts(deps, { session, workspace, rootSessionID, isDeepest, signal })
    const budget = withHeartbeat(input.budget, { alive, inactivity: store.deadlines.subagent })
    const repetition = createRepetitionGuard({
      settings: deps.defaults.repetition,
      canAsk: deps.calls.ask !== undefined || deps.calls.askPolicy === "wait",
      traitsOf: (name) => contexts.tools()?.find(name) ?? settings().tools.find((tool) => tool.name === name),
    })
    const { directory, worktree } = await workspace.places()
    const files = createFileWatcher({
      ...{ history: deps.calls.fileHistory, blobs: storage.blobs, ids: store.ids, journal, signal },
      place: { directory, worktree, sessionID },
    })
    files.recover(history.messages.findLast((message) => isAssistant(message)))
    const policies = composePolicies(deps, {
      budget,
      repetition,
      cache: createCacheMonitor(store, sessionID),
      summary: createBackgroundSummary(deps, signal, budget),
      files,
      owner: { onSent: once(input.onFirstRequest), onAnswer: once(() => deps.onFirstAnswer(session)) },
    })
    const interrupts = createInterrupts(store, sessionID, history.revision)
    links.raise = (id) => interrupts.raise(id)
    const delegateFor = (model: ModelRef) => {
      return delegateTo({ session, depth: above.length, model, budget: input.budget, alive })
    }
    const run = { contexts, journal, budget, policies, interrupts, delegateFor, signal }
    try {
      const { end, revision } = await runLoop(deps, run, { history, isCompactOnly: only !== undefined })
      return { result: toResult(end, budget), revision }
    } finally {
      interrupts.close()
      await policies.atEnd()
    }
  } catch (error) {
    // An aborted run is settled and stored. Aborting a requested compaction withdraws it.
    if (signal.aborted) await journal.commit(only ? await withdrawal(store, sessionID) : [])
    throw error
  } finally {
    await journal.settled()
  }
}

/** Delivers prompts that were sent to a dead run. They were meant for its turn, so they precede the new prompt. */
async function deliverLeft(deps: RunsDeps, journal: Journal, history: History): Promise<void> {
  const prompts = duePrompts(history, false)
  if (prompts.length > 0) await deliver(deps, journal, history, { prompts, isMidTurn: true })
}

async function withdrawal(store: HistoryDeps, sessionID: SessionID): Promise<Write[]> {
  const { messages } = await openHistory(store, sessionID)
  const record = pendingCompaction(messages)
  return record && !record.part.auto ? [{ type: "message.remove", messageID: record.marker.info.id }] : []
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

/** The run that hands work to a subagent. */
export interface DelegatingRun {
  readonly session: Session
  /** Number of sessions above this one. */
  readonly depth: number
  /** The model of the message that is being answered. */
  readonly model: ModelRef
  readonly budget: Budget
  /** Signals progress to the runs above. */
  readonly alive: () => void
}
