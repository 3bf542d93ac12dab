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
import { createCacheLedger } from "../cache/cache-ledger.ts"
import { deliver, duePrompts } from "../inbox/deliver.ts"
import { endLeft } from "../store/end-left.ts"
import { type History, openHistory } from "../store/history.ts"
import { createInterrupts } from "../inbox/interrupts.ts"
import { type PlaceDeps, readPlace } from "../workspace/place.ts"
import { createJournal, type Journal } from "../store/journal.ts"
import type { Budget } from "../budget/budget.ts"
import type { RunLimits } from "../budget/limits.ts"
import { type LoopDeps, runLoop } from "./loop.ts"
import type { ModelRef, Session } from "../record/message.ts"
import { createSummaryInAdvance } from "../compaction/prepare-summary.ts"
import { leftCompacting } from "../compaction/compacting-time.ts"
import { recoveryWrites } from "./recovery.ts"
import { keepRenewed } from "../store/renewal.ts"
import { createRepetitionGuard } from "../repetition/repetition-guard.ts"
import { endedByDeadline, type RunResult, toResult } from "./run-result.ts"
import type { Runs } from "./run-api.ts"
import type { ToolSet } from "../tool-set/tool-set.ts"
import { createScenes, type SceneDeps, type Scenes } from "./step/scene.ts"

type RunParts = LoopDeps & PlaceDeps & SceneDeps & AdmitDeps

export interface RunsDeps extends RunParts {
  readonly storage: Storage
  readonly repetition: RepetitionSettings
  /** Names this engine in leases. */
  readonly owner: string
  /** Of each run that works for no other. */
  readonly limits: RunLimits
  /** How many sessions may lie below each other: 1 lets no subagent have subagents. */
  readonly subagentDepth: number
  /** Whether a run of the session is under way here. */
  readonly isRunning: (id: SessionID) => boolean
  /** Called once a run, when its first request has left: for what may take part of the machine, but not of the wait. */
  readonly onFirstAnswer: (session: Session) => void
}

/** What others may do to a run under way. */
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

/** `revision`: as far as the run has seen to what was sent. */
export interface Owned {
  readonly result: RunResult
  readonly revision: Revision
}

/** The runs of subagents. */
export type ChildRuns = Pick<Runs, "start" | "has">

/** Returns what hands the work of a run's calls to subagents. */
export type DelegateFactory = (runs: ChildRuns, run: DelegatingRun) => Delegate

/** Takes the session, works until nothing is left to do, and gives it up. Rejects with SessionBusyError where it is taken. */
export async function own(
  deps: RunsDeps,
  delegateTo: (run: DelegatingRun) => Delegate,
  run: RunInput,
  prepare: () => Promise<void>,
): Promise<Owned> {
  const { sessionID, controller } = run
  // Whoever sends a prompt from now on finds the session taken, and a compaction alone delivers none.
  const since = run.only && (await deps.storage.readContext(sessionID)).revision
  const lease = await acquireSoon(deps.storage, sessionID, deps.owner, deps.deadlines.lease, run.patience)
  if (!lease) throw await busyError(deps.storage, sessionID)
  const letGo = keepRenewed(lease, deps.deadlines.lease, (error) => controller.abort(error))
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
    letGo()
    // A lease that cannot be given up ends by itself.
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
    // A long history makes work for the garbage collector, which does it at the event loop's turns: those that come before
    // the first request are taken first.
    await place.begun
    const history = await openHistory(deps, sessionID)
    const { damaged } = history
    if (damaged?.length) deps.bus.publish("storage.damaged", { sessionID, problems: [...damaged] })
    const stopped = await endLeft(deps.processes, history.messages)
    const left = recoveryWrites(history.messages, deps.now(), { runsCalls: !only, stopped })
    await journal.commit([...left, ...leftCompacting(stored)])
    // Nothing but a compaction answers nobody.
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
      traitsOf: (name) => tools?.find(name) ?? deps.tools.find((tool) => tool.name === name),
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
    // Aborted means settled and stored; who ends a compaction does not want it any more.
    if (signal.aborted) await journal.commit(only ? await withdrawal(deps, sessionID) : [])
    throw error
  } finally {
    await journal.settled()
  }
}

/** What was sent to a run that is dead was meant for what it was at, and comes before what is said now. */
async function deliverLeft(deps: RunsDeps, journal: Journal, history: History): Promise<void> {
  const prompts = duePrompts(history, false)
  if (prompts.length > 0) await deliver(deps, journal, history, { prompts, isMidTurn: true })
}

async function withdrawal(deps: RunsDeps, sessionID: SessionID): Promise<Write[]> {
  const { messages } = await openHistory(deps, sessionID)
  const asked = pendingCompaction(messages)
  return asked && !asked.part.auto ? [{ type: "message.remove", messageID: asked.marker.info.id }] : []
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

/** The run that hands work over. */
export interface DelegatingRun {
  readonly session: Session
  /** Sessions above it. */
  readonly depth: number
  /** Of the message that is being answered. */
  readonly model: ModelRef
  readonly budget: Budget
  /** A sign of life for those above. */
  readonly alive: () => void
}
