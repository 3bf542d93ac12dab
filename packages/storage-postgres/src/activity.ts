import { closedError } from "./errors.ts"

/** Tracks the unfinished requests of a storage. */
export interface Activity {
  /** Throws a StorageError once closed. */
  assertOpen(): void
  run<T>(work: () => Promise<T>): Promise<T>
  /** Like `run`, for a generator. Its next item is refused after `close`. */
  iterate<T>(items: AsyncIterable<T>): AsyncGenerator<T>
  /** Refuses new work. Resolves when earlier work has ended. */
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
