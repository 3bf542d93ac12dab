import { SessionBusyError, StaleLeaseError, type StoredError, toStoredError } from "../errors.ts"
import type { SessionID } from "../ids.ts"
import type { Lease, Storage } from "../storage/storage.ts"
import { openHistory } from "./history.ts"
import { createJournal } from "./journal.ts"
import { type LoopDeps, type LoopEnd, runLoop } from "./loop.ts"
import type { AssistantMessage, MessageWithParts, Session } from "./message.ts"
import { recoveryWrites } from "./recovery.ts"
import { createScenes, type SceneDeps } from "./scene.ts"

export interface RunsDeps extends LoopDeps, SceneDeps {
  readonly storage: Storage
  /** Names this engine in leases. */
  readonly owner: string
}

type Answer = MessageWithParts<AssistantMessage>

export type RunResult =
  | { readonly type: "answered"; readonly answer: Answer }
  | { readonly type: "failed"; readonly error: StoredError; readonly answer: Answer }
  /** A tool call needed a permission that was refused, or that nobody could give. */
  | { readonly type: "refused"; readonly error: StoredError; readonly answer: Answer }
  | { readonly type: "aborted"; readonly answer?: Answer }
  | { readonly type: "steps-spent"; readonly steps: number }
  /** Nothing was asked. */
  | { readonly type: "idle" }

/** One run for each session.
 *
 *   start ──acquire──▶ recover ──▶ prepare ──▶ loop ──▶ release
 *     └─ a run is under way: join it
 */
export interface Runs {
  /**
   * Joins the session's run or begins one. `prepare` is done by a beginning run only, once the session is owned and
   * what a dead owner left is settled. Rejects with SessionBusyError while another process owns the session.
   */
  start(sessionID: SessionID, prepare?: (session: Session) => Promise<void>): Promise<RunResult>
  isRunning(sessionID: SessionID): boolean
  /** Resolves when the session is idle. */
  abort(sessionID: SessionID): Promise<void>
  abortAll(): Promise<void>
}

interface Run {
  readonly controller: AbortController
  readonly result: Promise<RunResult>
}

export function createRuns(deps: RunsDeps): Runs {
  const runs = new Map<SessionID, Run>()

  async function abort(sessionID: SessionID): Promise<void> {
    const run = runs.get(sessionID)
    run?.controller.abort()
    await run?.result.catch(() => undefined)
  }

  return {
    abort,
    isRunning: (sessionID) => runs.has(sessionID),
    async abortAll() {
      await Promise.all([...runs.keys()].map((sessionID) => abort(sessionID)))
    },
    start(sessionID, prepare) {
      const current = runs.get(sessionID)
      if (current) return current.result
      const controller = new AbortController()
      const result = own(deps, sessionID, controller, prepare).finally(() => runs.delete(sessionID))
      runs.set(sessionID, { controller, result })
      return result
    },
  }
}

async function own(
  deps: RunsDeps,
  sessionID: SessionID,
  controller: AbortController,
  prepare?: (session: Session) => Promise<void>,
): Promise<RunResult> {
  const lease = await deps.storage.acquire(sessionID, deps.owner, deps.deadlines.lease)
  if (!lease) throw new SessionBusyError(sessionID)
  const renewal = renewing(lease, deps.deadlines.lease, controller)
  try {
    deps.bus.publish("session.status", { sessionID, status: { type: "busy" } })
    return await runOwned(deps, sessionID, lease, controller.signal, prepare)
  } catch (error) {
    if (controller.signal.aborted && !(error instanceof StaleLeaseError)) return { type: "aborted" }
    deps.bus.publish("session.error", { sessionID, error: toStoredError(error) })
    throw error
  } finally {
    clearInterval(renewal)
    await lease.release()
    deps.bus.publish("session.status", { sessionID, status: { type: "idle" } })
    deps.bus.publish("session.idle", { sessionID })
  }
}

async function runOwned(
  deps: RunsDeps,
  sessionID: SessionID,
  lease: Lease,
  signal: AbortSignal,
  prepare?: (session: Session) => Promise<void>,
): Promise<RunResult> {
  const journal = createJournal(deps, sessionID, lease.token)
  try {
    const history = await openHistory(deps, sessionID)
    await journal.commit(recoveryWrites(history.messages, deps.now()))
    await prepare?.(history.session)
    const rootSessionID = await findRoot(deps, history.session)
    const scene = createScenes(deps, { session: history.session, rootSessionID, journal, signal })
    return toResult(await runLoop(deps, { scene, journal, signal }, history))
  } finally {
    await journal.settled()
  }
}

/** A lease that was lost ends the run: another owner goes on with the session. */
function renewing(lease: Lease, ttl: number, controller: AbortController): NodeJS.Timeout {
  const timer = setInterval(() => {
    lease.renew().catch((error: unknown) => {
      if (error instanceof StaleLeaseError) controller.abort(error)
    })
  }, ttl / 3)
  return timer.unref()
}

async function findRoot({ storage }: RunsDeps, session: Session): Promise<SessionID> {
  let root = session
  while (root.parentID) {
    const parent = await storage.getSession(root.parentID)
    if (!parent) break
    root = parent
  }
  return root.id
}

function toResult(end: LoopEnd): RunResult {
  if (end.type === "steps-spent") return end
  const { answer } = end
  if (!answer) return { type: "idle" }
  const { error } = answer.info
  if (!error) return { type: "answered", answer }
  if (error.name === "MessageAbortedError") return { type: "aborted", answer }
  const type = error.name === "PermissionDeniedError" ? "refused" : "failed"
  return { type, error: error as StoredError, answer }
}
