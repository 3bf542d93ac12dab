import type { FileSystem } from "./file-system.ts"
import { LOCKS } from "./layout.ts"

// Who finds a lock taken leaves a ticket beside it, named after the time by the machine's clock since boot: one more name
// for its owner's file. A free lock belongs to the oldest ticket, which looks often; the others look the more seldom the
// more are before them. A lock is never handed over, so that a waiter that is dead, stopped or slow holds nothing: when
// it leaves a free lock alone, the next one takes its ticket away. A live one puts it back when it looks again.

/** A wait for a lock. */
export interface LockQueue {
  /** Returns true if no earlier waiter is making use of its turn. */
  isNext(): boolean
  /** Milliseconds until it should look again; joins those who wait. */
  wait(): number
  leave(): void
}

export interface LockQueueDeps {
  readonly fs: FileSystem
  /** Name of the lock. */
  readonly name: string
  /** Tells this handle from all others. */
  readonly token: string
  /** Gives the owner's file another name. */
  readonly link: (path: string) => void
  /** Returns true if the lock could be taken now. */
  readonly isFree: () => boolean
}

/** Milliseconds between two looks of the oldest, and what each place behind it adds. */
const STEP_MS = 1
const STEP_PER_WAITER_MS = 1
const MAX_STEP_MS = 20

/** Milliseconds for which a free lock is left to the oldest, for each place behind it. */
const UNUSED_TURN_MS = 25

export function createLockQueue({ fs, name, token, link, isFree }: LockQueueDeps): LockQueue {
  const prefix = `${name}.wait-`
  let ticket: string | undefined
  /** Earlier waiters, oldest first, as of the last look. */
  let before: readonly string[] = []
  /** Since when the oldest has been the same. */
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
