import { setTimeout as sleep } from "node:timers/promises"
import type { Lease, MessageQuery, SearchQuery, SessionID, SessionQuery, Write } from "@pawl/core/storage"
import { blobID } from "../blob-records.ts"
import { LONG } from "../leasing.ts"
import { collect } from "../writes.ts"
import { comparableChanges, comparableHits, countsOf, problemsOf } from "./comparable.ts"
import { type HeldLease, type Outcome, outcomeOf, type Side, type Step } from "./side.ts"

type Handle = 0 | 1

function step(name: string, given: readonly unknown[], run: (side: Side) => Promise<Outcome>): Step {
  const text = `${name}(${given.map((value) => JSON.stringify(value)).join(", ")})`
  return { run: (side) => outcomeOf(() => run(side)), toString: () => text }
}

/** Commits, and reads through the other handle. `held`: index of the lease to use, which may be current or stale. */
export function commit(handle: Handle, id: SessionID, writes: readonly Write[], held: number | undefined): Step {
  return step("commit", [handle, id, writes, held], async ({ handles, leases }) => {
    const other = handles[handle === 0 ? 1 : 0]
    const lease = held === undefined ? undefined : leases[held % leases.length]?.lease
    const outcome = await outcomeOf(() => handles[handle].commit(id, writes, lease?.token))
    // If there are two reasons to reject, the contract does not define which one is reported.
    const revision = lease && typeof outcome !== "number" ? "rejected" : outcome
    const context = await outcomeOf(() => other.readContext(id))
    return { revision, context, session: await other.getSession(id) }
  })
}

export function removeSession(handle: Handle, id: SessionID): Step {
  return step("removeSession", [handle, id], async (side) => {
    await side.handles[handle].removeSession(id)
    const left = new Set((await collect(side.handles[handle].listSessions())).map((session) => session.id))
    // Old leases are never valid again, but the contract does not define the epochs of a session that is stored again.
    for (const known of side.epochs.keys()) if (!left.has(known)) side.epochs.delete(known)
  })
}

/** `stays`: true for a lease that lasts longer than the test; false for one that expires before the next step. */
export function acquire(handle: Handle, id: SessionID, owner: string, stays: boolean): Step {
  return step("acquire", [handle, id, owner, stays], async (side) => {
    const lease = await side.handles[handle].acquire(id, owner, stays ? LONG : 1)
    if (!lease) return "held by another"
    if (!stays) await sleep(10)
    const before = side.epochs.get(id)
    side.epochs.set(id, lease.token.epoch)
    side.leases.push({ lease, handle, orphaned: false })
    return before === undefined ? "first" : lease.token.epoch - before
  })
}

export function renew(held: number): Step {
  return step("renew", [held], async ({ leases }) => usable(leases, held)?.renew())
}

export function release(held: number): Step {
  return step("release", [held], async ({ leases }) => usable(leases, held)?.release())
}

function usable(leases: readonly HeldLease[], held: number): Lease | undefined {
  const some = leases[held % leases.length]
  return some?.orphaned === false ? some.lease : undefined
}

export function putBlob(handle: Handle, text: string): Step {
  return step("blobs.put", [handle, text], ({ handles }) => handles[handle].blobs.put(Buffer.from(text)))
}

export function getBlob(handle: Handle, text: string): Step {
  return step("blobs.get", [handle, text], async ({ handles }) => {
    const bytes = await handles[handle].blobs.get(blobID(text))
    return bytes && Buffer.from(bytes).toString()
  })
}

export function collectBlobs(handle: Handle, young: boolean): Step {
  return step("gc", [handle, young], ({ handles }) => handles[handle].gc(young ? { minAge: 0 } : {}))
}

export function search(handle: Handle, query: SearchQuery): Step {
  return step("search", [handle, query], async ({ handles }) => {
    return comparableHits(await collect(handles[handle].search(query)))
  })
}

export function list(handle: Handle, query: SessionQuery): Step {
  return step("listSessions", [handle, query], ({ handles }) => collect(handles[handle].listSessions(query)))
}

export function readContext(handle: Handle, id: SessionID): Step {
  return step("readContext", [handle, id], ({ handles }) => handles[handle].readContext(id))
}

export function readChanges(handle: Handle, id: SessionID, after: number): Step {
  return step("readChanges", [handle, id, after], async ({ handles }) => {
    return comparableChanges(await handles[handle].readChanges(id, after))
  })
}

export function readMessages(handle: Handle, id: SessionID, query: MessageQuery): Step {
  return step("readMessages", [handle, id, query], ({ handles }) => collect(handles[handle].readMessages(id, query)))
}

export function maintain(handle: Handle, work: "stats" | "verify" | "rebuild"): Step {
  return step(work, [handle], async ({ handles }) => {
    if (work === "rebuild") return handles[handle].rebuild()
    return work === "stats" ? countsOf(handles[handle]) : problemsOf(handles[handle])
  })
}

export function reopen(handle: Handle): Step {
  return step("reopen", [handle], async (side) => {
    side.handles[handle] = await side.reopen(side.handles[handle])
    for (const held of side.leases) if (held.handle === handle) held.orphaned = true
  })
}
