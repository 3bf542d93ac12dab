import { pendingCompaction } from "../context/compaction/record.ts"
import type { RepetitionSettings } from "../context/repetition/response.ts"
import { SessionBusyError, StaleLeaseError, type StoredError, toStoredError } from "../errors.ts"
import type { SessionID } from "../ids.ts"
import type { Lease, Storage, Write } from "../storage/storage.ts"
import { acquireSoon } from "./acquire-soon.ts"
import type { CompactOutcome } from "./compact.ts"
import { openHistory } from "./history.ts"
import { createJournal } from "./journal.ts"
import { type LoopDeps, type LoopEnd, runLoop } from "./loop.ts"
import type { AssistantMessage, MessageWithParts, Session } from "./message.ts"
import { createSummaryInAdvance } from "./prepare-summary.ts"
import { recoveryWrites } from "./recovery.ts"
import { keepRenewed } from "./renewal.ts"
import { createCacheLedger } from "./cache-ledger.ts"
import { createRepetitionGuard } from "./repetition-guard.ts"
import { createScenes, type SceneDeps } from "./scene.ts"

export interface RunsDeps extends LoopDeps, SceneDeps {
  readonly storage: Storage
  readonly repetition: RepetitionSettings
  /** Names this engine in leases. */
  readonly owner: string
  /** Called once a run, when its first request has left: for what may take part of the machine, but not of the wait. */
  readonly onFirstAnswer: (session: Session) => void
}

type Answer = MessageWithParts<AssistantMessage>

export type RunResult =
  | { readonly type: "answered"; readonly answer: Answer }
  | { readonly type: "failed"; readonly error: StoredError; readonly answer: Answer }
  /** A tool call needed a permission that was refused, or that nobody could give. */
  | { readonly type: "refused"; readonly error: StoredError; readonly answer: Answer }
  | { readonly type: "aborted"; readonly answer?: Answer }
  | { readonly type: "steps-spent"; readonly steps: number }
  /** A compaction was all that was asked for, or nobody wants the agent to go on after it. */
  | { readonly type: "compacted"; readonly outcome: CompactOutcome }
  /** Nothing was asked. */
  | { readonly type: "idle" }

/** One run for each session.
 *
 *   start ──acquire──▶ recover ──▶ prepare ──▶ loop ──▶ release
 *     └─ a run is under way: join it
 */
export interface Runs {
  /**
   * Begins a run, or joins the one under way. `prepare` is done once the session is owned and what a dead owner left is
   * settled; what it stores is answered, unless the run is aborted. Rejects with SessionBusyError, before `prepare`,
   * while another process owns the session. With `only`, a run that begins ends with the next compaction.
   */
  start(sessionID: SessionID, prepare?: Prepare, only?: "compaction"): Promise<RunResult>
  /** Resolves when the session is idle. */
  abort(sessionID: SessionID): Promise<void>
  /** Whether a run is under way here. */
  has(sessionID: SessionID): boolean
  /** Aborts all, and begins none any more. */
  close(): Promise<void>
}

/** Stores something for the run to work on. */
type Prepare = (run: { readonly signal: AbortSignal; readonly isQueued: boolean }) => Promise<void>

interface Run {
  readonly controller: AbortController
  /** Once the lease is held. */
  readonly owned: Promise<void>
  readonly result: Promise<RunResult>
}

export function createRuns(deps: RunsDeps): Runs {
  const runs = new Map<SessionID, Run>()
  let isClosed = false

  async function abort(sessionID: SessionID): Promise<void> {
    const run = runs.get(sessionID)
    run?.controller.abort()
    await run?.result.catch(() => undefined)
  }

  function begin(sessionID: SessionID, prepare?: Prepare, only?: "compaction"): Promise<RunResult> {
    const controller = new AbortController()
    const { promise: owned, resolve } = Promise.withResolvers<void>()
    const result = own(deps, { sessionID, controller, only }, async () => {
      resolve()
      await prepare?.({ signal: controller.signal, isQueued: false })
    }).finally(() => runs.delete(sessionID))
    runs.set(sessionID, { controller, owned, result })
    return result
  }

  async function join({ controller, owned, result }: Run, sessionID: SessionID, prepare: Prepare) {
    // A run that never owns the session rejects.
    await Promise.race([owned, result])
    await prepare({ signal: controller.signal, isQueued: true })
    const answered = await result
    // The run may have looked for new messages for the last time just before this one was stored.
    return controller.signal.aborted ? answered : start(sessionID)
  }

  async function start(sessionID: SessionID, prepare?: Prepare, only?: "compaction"): Promise<RunResult> {
    const current = runs.get(sessionID)
    if (current) return prepare ? join(current, sessionID, prepare) : current.result
    if (isClosed) throw new TypeError("The engine is closed: create another one.")
    return begin(sessionID, prepare, only)
  }

  return {
    abort,
    start,
    has: (sessionID) => runs.has(sessionID),
    async close() {
      isClosed = true
      await Promise.all([...runs.keys()].map((sessionID) => abort(sessionID)))
    },
  }
}

interface RunInput {
  readonly sessionID: SessionID
  readonly controller: AbortController
  readonly only: "compaction" | undefined
}

async function own(deps: RunsDeps, run: RunInput, prepare: () => Promise<void>): Promise<RunResult> {
  const { sessionID, controller } = run
  const lease = await acquireSoon(deps.storage, sessionID, deps.owner, deps.deadlines.lease)
  if (!lease) throw new SessionBusyError(sessionID)
  const letGo = keepRenewed(lease, deps.deadlines.lease, (error) => controller.abort(error))
  try {
    deps.bus.publish("session.status", { sessionID, status: { type: "busy" } })
    return await runOwned(deps, run, lease, prepare)
  } catch (error) {
    const { aborted, reason } = controller.signal
    if (aborted && error === reason && !(error instanceof StaleLeaseError)) return { type: "aborted" }
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
  { sessionID, controller: { signal }, only }: RunInput,
  lease: Lease,
  prepare: () => Promise<void>,
): Promise<RunResult> {
  const journal = createJournal(deps, sessionID, lease.token)
  try {
    const history = await openHistory(deps, sessionID)
    const { session, damaged } = history
    if (damaged?.length) deps.bus.publish("storage.damaged", { sessionID, problems: [...damaged] })
    await journal.commit(recoveryWrites(history.messages, deps.now()))
    await prepare()
    const rootSessionID = await findRoot(deps, session)
    const onAnswer = once(() => deps.onFirstAnswer(session))
    const scene = createScenes(deps, { session, rootSessionID, journal, signal, onAnswer })
    const inAdvance = createSummaryInAdvance(deps, signal)
    const cacheLedger = createCacheLedger(deps, sessionID)
    const repetition = createRepetitionGuard({
      settings: deps.repetition,
      canAsk: deps.ask !== undefined,
      traitsOf: (name) => deps.tools.find((tool) => tool.name === name),
    })
    const run = { scene, journal, inAdvance, repetition, cacheLedger, signal, only: only !== undefined }
    try {
      return toResult(await runLoop(deps, run, history))
    } finally {
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

async function findRoot({ storage }: RunsDeps, session: Session): Promise<SessionID> {
  let root = session
  const seen = new Set<SessionID>()
  // A session that came to stand below itself ends the way up.
  while (root.parentID && !seen.has(root.id)) {
    seen.add(root.id)
    const parent = await storage.getSession(root.parentID)
    if (!parent) break
    root = parent
  }
  return root.id
}

function toResult(end: LoopEnd): RunResult {
  if (end.type !== "stop") return end
  const { answer } = end
  if (!answer) return { type: "idle" }
  const { error } = answer.info
  if (!error) return { type: "answered", answer }
  if (error.name === "MessageAbortedError") return { type: "aborted", answer }
  const type = error.name === "PermissionDeniedError" ? "refused" : "failed"
  return { type, error: error as StoredError, answer }
}
