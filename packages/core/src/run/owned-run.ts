import { createContextHeads } from "../request/context-head.ts"
import { pendingCompaction } from "../record/compaction-record.ts"
import type { RepetitionSettings } from "../repetition/response.ts"
import { NotFoundError, StaleLeaseError, type StoredError, toStoredError } from "../base/errors.ts"
import type { MessageID, SessionID } from "../base/ids.ts"
import type { Lease, Revision, Storage, Write } from "../contracts/storage.ts"
import type { Delegate } from "../contracts/delegate.ts"
import { acquireSoon, busyError } from "../store/acquire-soon.ts"
import type { AdmitDeps } from "../inbox/admit.ts"
import { readAncestors } from "../store/ancestors.ts"
import { createCacheLedger } from "../cache/cache-monitor.ts"
import { deliver, duePrompts } from "../inbox/deliver.ts"
import { endLeft } from "../store/end-left.ts"
import { type History, openHistory } from "../store/history.ts"
import { createInterrupts } from "../inbox/interrupts.ts"
import { type PlaceDeps, readPlace } from "../workspace/workspace.ts"
import { createJournal, type Journal } from "../store/journal.ts"
import type { Budget } from "../budget/budget.ts"
import type { RunLimits } from "../budget/limits.ts"
import { type LoopDeps, runLoop } from "./loop.ts"
import type { ModelRef, Session } from "../record/message.ts"
import { createSummaryInAdvance } from "../compaction/background-summary.ts"
import { leftCompacting } from "../compaction/compacting-time.ts"
import { recoveryWrites } from "./recovery.ts"
import { keepRenewed } from "../store/renewal.ts"
import { createRepetitionGuard } from "../repetition/repetition-guard.ts"
import { endedByDeadline, type RunResult, toResult } from "./run-result.ts"
import type { Runs } from "./run-api.ts"
import type { ToolSet } from "../tool-set/tool-set.ts"
import { createScenes, type SceneDeps, type Scenes, type SceneSettings } from "./step/contexts.ts"

type RunParts = LoopDeps & PlaceDeps & SceneDeps & AdmitDeps

export interface RunSettings extends SceneSettings {
  readonly instructionFiles: readonly string[]
  /** Limits of each run that does not work for another run. */
  readonly limits: RunLimits
}

export interface RunsDeps extends RunParts {
  readonly storage: Storage
  readonly repetition: RepetitionSettings
  /** Names this engine in leases. */
  readonly owner: string
  readonly settings: () => RunSettings
  /** Maximum depth of subagent sessions. 1: subagents have no subagents. */
  readonly subagentDepth: number
  /** Returns whether this engine runs the session. */
  readonly isRunning: (id: SessionID) => boolean
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
  readonly patience?: number
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
  const { sessionID, controller } = run
  // Callers that send a prompt from now on find the session busy, and a compact-only run does not deliver prompts.
  const since = run.only && (await deps.storage.readContext(sessionID)).revision
  const lease = await acquireSoon(deps.storage, sessionID, deps.owner, deps.deadlines.lease, run.patience)
  if (!lease) throw await busyError(deps.storage, sessionID)
  const stopRenewal = keepRenewed(lease, deps.deadlines.lease, (error) => controller.abort(error))
  try {
    deps.bus.publish("session.status", { sessionID, status: { type: "busy" } })
    const owned = await runOwned(deps, delegateTo, run, lease, prepare)
    const error = "answer" in owned.result ? owned.result.answer?.info.error : undefined
    if (error) deps.bus.publish("session.error", { sessionID, error: error as StoredError })
    return since === undefined ? owned : { ...owned, revision: since }
  } catch (error) {
    const { aborted, reason } = controller.signal
    if (aborted && error === reason && !(error instanceof StaleLeaseError)) {
      deps.bus.publish("session.error", { sessionID, error: toStoredError(error) })
      return { result: endedByDeadline(run.budget) ?? { type: "aborted" }, revision: 0 }
    }
    deps.bus.publish("session.error", { sessionID, error: toStoredError(error) })
    throw error
  } finally {
    stopRenewal()
    // A lease that cannot be released expires.
    await lease.release().catch((error: unknown) => {
      deps.bus.publish("session.error", { sessionID, error: toStoredError(error) })
    })
    deps.bus.publish("session.status", { sessionID, status: { type: "idle" } })
    deps.bus.publish("session.idle", { sessionID })
  }
}

async function runOwned(
  deps: RunsDeps,
  delegateTo: (run: DelegatingRun) => Delegate,
  input: RunInput,
  lease: Lease,
  prepare: () => Promise<void>,
): Promise<Owned> {
  const { sessionID, only, budget, links } = input
  const { signal } = input.controller
  const journal = createJournal(deps, sessionID, lease.token)
  try {
    const stored = await deps.storage.getSession(sessionID)
    if (!stored) throw new NotFoundError(`Session ${sessionID} does not exist.`)
    const place = readPlace(deps, stored)
    // Reading a long history causes garbage collection in later turns of the event loop. Read the workspace first, so
    // that fewer turns precede the first request.
    await place.begun
    const history = await openHistory(deps, sessionID)
    const { damaged } = history
    if (damaged?.length) deps.bus.publish("storage.damaged", { sessionID, problems: [...damaged] })
    const stopped = await endLeft(deps.processes, history.messages)
    const left = recoveryWrites(history.messages, deps.now(), { runsCalls: !only, stopped })
    await journal.commit([...left, ...leftCompacting(stored)])
    // A compact-only run does not answer prompts.
    if (!only) await deliverLeft(deps, journal, history)
    await prepare()
    const session = history.session.parentID
      ? ((await deps.storage.getSession(sessionID)) ?? history.session)
      : history.session
    const above = await readAncestors(deps.storage, session)
    const rootSessionID = above.at(-1)?.id ?? session.id
    deps.roots.learn(session.id, rootSessionID)
    const onSent = once(input.onFirstRequest)
    const onAnswer = once(() => deps.onFirstAnswer(session))
    const alive = input.alive ?? (() => undefined)
    let tools: ToolSet | undefined
    const source = createScenes(deps, {
      ...{
        session,
        place,
        rootSessionID,
        journal,
        signal,
        onSent,
        onAnswer,
        isDeepest: above.length >= deps.subagentDepth,
      },
      delegateFor: (model) => delegateTo({ session, depth: above.length, model, budget, alive }),
    })
    const scenes: Scenes = async (user, hooks) => {
      const scene = await source(user, hooks)
      ;({ tools } = scene)
      return scene
    }
    const inAdvance = createSummaryInAdvance(deps, signal, budget)
    const cacheLedger = createCacheLedger(deps, sessionID)
    const interrupts = createInterrupts(deps, sessionID, history.revision)
    links.raise = (id) => interrupts.raise(id)
    const repetition = createRepetitionGuard({
      settings: deps.repetition,
      canAsk: deps.ask !== undefined || deps.askPolicy === "wait",
      traitsOf: (name) => tools?.find(name) ?? deps.settings().tools.find((tool) => tool.name === name),
    })
    const run = {
      scenes,
      journal,
      inAdvance,
      repetition,
      cacheLedger,
      heads: createContextHeads(),
      interrupts,
      budget,
      signal,
      alive,
      patience: deps.deadlines.subagent,
      only: only !== undefined,
    }
    try {
      const { end, revision } = await runLoop(deps, run, history)
      return { result: toResult(end, budget), revision }
    } finally {
      interrupts.close()
      cacheLedger.close()
      await inAdvance.stop()
    }
  } catch (error) {
    // An aborted run is settled and stored. Aborting a requested compaction withdraws it.
    if (signal.aborted) await journal.commit(only ? await withdrawal(deps, sessionID) : [])
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

async function withdrawal(deps: RunsDeps, sessionID: SessionID): Promise<Write[]> {
  const { messages } = await openHistory(deps, sessionID)
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
