import { isBusy } from "./errors.ts"
import { turn, yieldTurn } from "./turn.ts"

/** Work that waits for its turn. Results are in the order of the calls. */
export interface WriteQueue {
  /**
   * Runs the work in a write transaction, which work of other callers may share: the disk takes as long for many as for one.
   * Resolves when the transaction is committed. If the work throws, only its own changes are missing.
   */
  add<T>(work: () => T): Promise<T>
  /** Runs a job after all earlier work and before all later work. */
  addAlone<T>(job: () => Promise<T>): Promise<T>
  /** Resolves when all that was queued has ended. */
  settled(): Promise<void>
}

interface Shared {
  readonly work: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Entry = Shared | { readonly job: () => Promise<void> }

/**
 * `transact` commits when its work returns and rolls back when it throws. It may run the work again.
 *
 *   first work ──▶ its own transaction at once
 *   what comes during this turn of the event loop ──▶ one transaction
 */
export function createWriteQueue(transact: <T>(work: () => T) => Promise<T>): WriteQueue {
  const queue: Entry[] = []
  let running: Promise<void> | undefined

  function push(entry: Entry): void {
    queue.push(entry)
    running ??= runAll()
  }

  async function runAll(): Promise<void> {
    // The caller goes on first.
    await Promise.resolve()
    while (queue.length > 0) {
      const first = queue[0]
      if (first && "job" in first) {
        queue.shift()
        await first.job()
      } else await runTogether()
      await yieldTurn()
    }
    // In the same step: work that is added later starts a new run.
    running = undefined
  }

  async function runTogether(): Promise<void> {
    const jobAt = queue.findIndex((entry) => "job" in entry)
    const waiting = queue.slice(0, jobAt === -1 ? undefined : jobAt) as Shared[]
    let tried = 0
    let hasFailedWork = false
    try {
      const values = await transact(() => {
        ;[tried, hasFailedWork] = [0, false]
        const hasTime = turn()
        const done: unknown[] = []
        for (const { work } of waiting) {
          if (tried > 0 && !hasTime()) break
          tried++
          try {
            done.push(work())
          } catch (error) {
            hasFailedWork = !isBusy(error)
            throw error
          }
        }
        return done
      })
      for (const [at, { resolve }] of taken(values.length).entries()) resolve(values[at])
    } catch (error) {
      if (hasFailedWork && tried > 1) await runOneByOne(tried)
      else for (const { reject } of taken(tried || waiting.length)) reject(error)
    }
  }

  /** After one of them has failed, and all were rolled back. */
  async function runOneByOne(count: number): Promise<void> {
    for (const { work, resolve, reject } of taken(count)) {
      await transact(work).then(resolve, reject)
      // Each waits for the disk.
      await yieldTurn()
    }
  }

  /** Removes the first from the queue. */
  function taken(count: number): readonly Shared[] {
    return queue.splice(0, count) as Shared[]
  }

  async function settled(): Promise<void> {
    if (!running) return
    await running
    // Its callers may have added more.
    await settled()
  }

  return {
    add: (work) =>
      new Promise((resolve, reject) => push({ work, resolve: resolve as (value: unknown) => void, reject })),
    addAlone: (job) => new Promise((resolve, reject) => push({ job: () => job().then(resolve, reject) })),
    settled,
  }
}
