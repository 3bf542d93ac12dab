import { closedError } from "./errors.ts"

/** Tracks the unfinished requests of a storage. */
export interface Activity {
  /** Throws a StorageError once closed. */
  assertOpen(): void
  run<T>(work: () => Promise<T>): Promise<T>
  /** The same for a generator, which is refused when it is asked for its first or next item after the close. */
  iterate<T>(items: AsyncIterable<T>): AsyncGenerator<T>
  /** Refuses what comes from now on. Resolves when what `run` was given before has ended. */
  close(): Promise<void>
}

export function createActivity(location: string): Activity {
  const running = new Set<Promise<unknown>>()
  let closed = false

  function assertOpen(): void {
    if (closed) throw closedError(location)
  }

  return {
    assertOpen,
    async run(work) {
      assertOpen()
      const result = work()
      const settled = Promise.allSettled([result])
      running.add(settled)
      try {
        return await result
      } finally {
        running.delete(settled)
      }
    },
    async *iterate(items) {
      assertOpen()
      for await (const item of items) {
        yield item
        assertOpen()
      }
    },
    async close() {
      closed = true
      await Promise.all(running)
    },
  }
}
