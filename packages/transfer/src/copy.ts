import {
  type LongWork,
  type Session,
  SessionBusyError,
  type SessionID,
  type MaintainedStorage,
  type Storage,
  type StorageProblem,
} from "@pawl/core/storage"
import { type Brought, bringUpToDate } from "./bring-up-to-date.ts"
import { type CarriedBlobs, createCarriedBlobs } from "./carried-blobs.ts"
import { hasMore, isSame } from "./joined-messages.ts"
import { createRecordHash, recordHash } from "./record-hash.ts"
import { storedSession } from "./session-source.ts"
import type { Outcome } from "./session-writer.ts"
import { isUnfinished } from "./unfinished.ts"

/** The parts of a storage that a copy reads. Nothing is written to the source. */
export type CopySource = Pick<
  MaintainedStorage,
  "location" | "getSession" | "listSessions" | "readMessages" | "blobs" | "verify"
>

export interface CopyOptions extends LongWork {
  /** Also overwrites sessions that have changed in the target; these changes are lost. */
  readonly overwrite?: boolean
}

export interface CopyReport {
  /** Number of sessions by outcome; `unchanged` sessions were equal already. */
  readonly sessions: Readonly<Record<Outcome, number>>
  readonly messages: number
  readonly parts: number
  readonly blobs: number
  readonly bytes: number
  /** Number of sessions that are equal by hash on both sides, with their blobs, when read again. */
  readonly verified: number
  /** Number of sessions in the source at the end. The copy is complete if `verified` is equal. */
  readonly total: number
  readonly left: readonly LeftSession[]
  /** Records and blobs of the source that cannot be read, so were not copied. */
  readonly damaged: readonly StorageProblem[]
}

export interface LeftSession {
  readonly id: SessionID
  readonly reason:
    /**
     * The session changed in the target: its last change is later than the source's, or it has messages that the source
     * does not have.
     */
    | "diverged"
    /** The session is running in the target. */
    | "busy"
    /** The session kept changing during the copy. Copy again. */
    | "changing"
}

/** Maximum number of attempts for a session that changes during the copy. */
const ROUNDS = 3

/**
 * Copies every session with its blobs. Run it again after an interruption or later: it skips equal sessions and updates
 * those that changed in the source. Sessions that only the target has stay.
 */
export async function copyStorage(from: CopySource, to: Storage, options: CopyOptions = {}): Promise<CopyReport> {
  const blobs = createCarriedBlobs(to)
  const sessions: Record<Outcome, number> = { added: 0, updated: 0, unchanged: 0 }
  const left = new Map<SessionID, LeftSession["reason"]>()
  let [messages, parts, verified] = [0, 0, 0]

  async function copyOne(session: Session): Promise<Outcome | undefined> {
    if (!options.overwrite && (await isDiverged(from, to, session))) {
      left.set(session.id, "diverged")
      return undefined
    }
    const brought = await copySession(from, to, session, { blobs, signal: options.signal })
    if (typeof brought === "string") {
      left.set(session.id, brought)
      return undefined
    }
    messages += brought.messages
    parts += brought.parts
    return brought.outcome
  }

  const progress = createProgress(options, 2 * (await countSessions(from)))
  for await (const session of from.listSessions()) {
    const outcome = await copyOne(session)
    if (outcome) sessions[outcome]++
    progress()
  }

  let total = 0
  for await (const session of from.listSessions()) {
    total++
    for (let round = 1; !left.has(session.id); round++) {
      options.signal?.throwIfAborted()
      if (await isEqual(from, to, session.id, blobs)) {
        verified++
        break
      }
      if (round > ROUNDS) left.set(session.id, "changing")
      else await copyAgain(session.id)
    }
    progress()
  }

  /** Copies a session that was added or changed while others were copied. */
  async function copyAgain(id: SessionID): Promise<void> {
    const session = await from.getSession(id)
    if (session) await copyOne(session)
  }

  return {
    sessions,
    messages,
    parts,
    ...blobs.counts,
    verified,
    total,
    left: Array.from(left, ([id, reason]) => ({ id, reason })),
    damaged: await damagedRecords(from, options),
  }
}

async function copySession(
  from: CopySource,
  to: Storage,
  session: Session,
  work: { readonly blobs: CarriedBlobs; readonly signal: AbortSignal | undefined },
): Promise<Brought | "busy"> {
  try {
    return await bringUpToDate(to, storedSession(from, session), work)
  } catch (error) {
    if (error instanceof SessionBusyError) return "busy"
    throw error
  }
}

/** A message that was removed from the source looks like one that was added to the target, so both need `overwrite`. */
async function isDiverged(from: CopySource, to: Storage, session: Session): Promise<boolean> {
  const stored = await to.getSession(session.id)
  if (!stored || isSame(stored, session)) return false
  if (!isUnfinished(stored) && stored.time.updated > session.time.updated) return true
  return hasMore(to.readMessages(session.id), from.readMessages(session.id))
}

/** Returns true if both sides are equal, including blobs. Copies blobs that only the source has. */
async function isEqual(from: CopySource, to: Storage, id: SessionID, blobs: CarriedBlobs): Promise<boolean> {
  const session = await from.getSession(id)
  if (!session || !(await to.getSession(id))) return session === undefined
  const hash = createRecordHash()
  await blobs.verify(session, (blob) => from.blobs.get(blob))
  for await (const message of from.readMessages(id)) {
    hash.add(message)
    await blobs.verify(message, (blob) => from.blobs.get(blob))
  }
  return hash.of(session) === (await recordHash(to, id))
}

async function damagedRecords(from: CopySource, { signal }: LongWork): Promise<StorageProblem[]> {
  const damaged: StorageProblem[] = []
  for await (const problem of from.verify(signal ? { signal } : {})) {
    if (problem.kind !== "derived") damaged.push(problem)
  }
  return damaged
}

async function countSessions(storage: CopySource): Promise<number> {
  let count = 0
  for await (const _ of storage.listSessions()) count++
  return count
}

function createProgress({ signal, onProgress }: LongWork, total: number): () => void {
  let done = 0
  return () => {
    signal?.throwIfAborted()
    onProgress?.(++done, Math.max(done, total))
  }
}
