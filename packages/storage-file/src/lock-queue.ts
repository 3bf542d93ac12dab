import type { FileSystem } from "./file-system.ts"
import { LOCKS } from "./layout.ts"

// A process that waits for a lock creates a ticket: a hard link to its owner file, named after the time since boot. A
// free lock is for the oldest ticket, whose process checks often; the others check less often the later they came. No
// process hands a lock over, so a waiter that is dead, stopped or slow blocks nothing: if it does not take a free lock,
// the next waiter removes its ticket. A live process creates its ticket again at its next check.

/** A wait for a lock. */
export interface LockQueue {
  /** Returns true if no earlier waiter still has its turn. */
  isNext(): boolean
  /** Joins the queue, and returns the milliseconds until the next check. */
  wait(): number
  leave(): void
}

export interface LockQueueDeps {
  readonly fs: FileSystem
  /** Name of the lock. */
  readonly name: string
  /** Identifies this handle. */
  readonly token: string
  /** Creates a hard link to the owner file. */
  readonly link: (path: string) => void
  /** Returns true if the lock could be taken now. */
  readonly isFree: () => boolean
}

/** Interval of the oldest waiter's checks, and what each earlier waiter adds to it. */
const STEP_MS = 1
const STEP_PER_WAITER_MS = 1
const MAX_STEP_MS = 20

/** Time for which a free lock is left to each earlier waiter. */
const UNUSED_TURN_MS = 25

export function createLockQueue({ fs, name, token, link, isFree }: LockQueueDeps): LockQueue {
  const prefix = `${name}.wait-`
  let ticket: string | undefined
  /** Earlier waiters, oldest first, as of the last check. */
  let before: readonly string[] = []
  /** Time since which the oldest waiter has been the same. */
  let since = 0

  function look(): void {
    const tickets = (fs.readDirectory(LOCKS) ?? []).filter((other) => other.startsWith(prefix)).sort()
    if (ticket !== undefined && !tickets.includes(ticket)) link(`${LOCKS}/${ticket}`)
    const own = tickets.findIndex((other) => ticket !== undefined && other >= ticket)
    const earlier = own < 0 ? tickets : tickets.slice(0, own)
    if (earlier[0] !== before[0]) since = performance.now()
    before = earlier
  }

  /** Returns true if all earlier waiters have left a free lock unused for too long. */
  function isLeftAlone(): boolean {
    if (ticket === undefined || performance.now() - since < UNUSED_TURN_MS * before.length) return false
    since = performance.now()
    return isFree()
  }

  return {
    isNext() {
      look()
      if (before.length === 0) return true
      if (!isLeftAlone()) return false
      for (const other of before) fs.remove(`${LOCKS}/${other}`)
      return true
    },
    wait() {
      if (ticket === undefined) {
        ticket = `${prefix}${String(process.hrtime.bigint()).padStart(20, "0")}-${token}`
        link(`${LOCKS}/${ticket}`)
      }
      return Math.min(STEP_MS + STEP_PER_WAITER_MS * before.length, MAX_STEP_MS)
    },
    leave() {
      try {
        if (ticket !== undefined) fs.remove(`${LOCKS}/${ticket}`)
      } catch {
        // The disk fails. The next waiter removes this ticket.
      }
    },
  }
}
