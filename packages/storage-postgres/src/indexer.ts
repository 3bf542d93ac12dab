import type { LongWork } from "@pawl/core/storage"
import type { Connection } from "./connection.ts"
import { catchUp, countRecords, countWork, type Scope } from "./derive.ts"

/** Brings the index up to date before a search. */
export interface Indexer {
  /**
   * Resolves when the index covers the scope. Without `work`, also resolves if more than `maxRecords` are left, and
   * indexes the rest in the background. With `work`, also resolves when its signal aborts.
   */
  readonly prepare: (scope: Scope | undefined, work?: LongWork) => Promise<void>
  /** Stops background work and keeps its results. */
  readonly close: () => Promise<void>
}

export interface IndexerOptions {
  /** Maximum number of records for which a search waits: about a second of work. */
  readonly maxRecords?: number
  /** Number of records between two progress reports. */
  readonly recordsPerNotice?: number
  readonly onNotice?: ((message: string) => void) | undefined
}

/** Number of indexed records after which the rest is counted for progress. */
const UNCOUNTED_RECORDS = 200

export function createIndexer(connection: Connection, options: IndexerOptions = {}): Indexer {
  const { maxRecords = 20_000, recordsPerNotice = 100_000, onNotice = () => {} } = options
  const closing = new AbortController()
  const { signal } = closing
  let background: Promise<void> | undefined

  async function indexAll(): Promise<void> {
    let noticed = 0
    const onProgress = async (records: number) => {
      if (records - noticed < recordsPerNotice) return
      noticed = records
      onNotice(`Search index of ${connection.location}: ${records} more records indexed.`)
    }
    try {
      await catchUp(connection, { signal, onProgress })
      onNotice(`The search index of ${connection.location} is complete.`)
    } catch {
      // The next search continues from here and reports the error.
    } finally {
      background = undefined
    }
  }

  async function goOnInBackground(): Promise<void> {
    const sessions = await countWork(connection)
    onNotice(
      `The search index of ${connection.location} is being built; ${sessions} sessions are left. ` +
        "Until it is complete, a search may miss older text.",
    )
    if (!signal.aborted) background ??= indexAll()
  }

  async function indexScope(scope: Scope | undefined, { signal: stop, onProgress }: LongWork): Promise<void> {
    let total: number | undefined
    try {
      await catchUp(connection, {
        ...{ scope, signal: stop },
        async onProgress(records) {
          if (records < UNCOUNTED_RECORDS) return
          total ??= records + (await countRecords(connection, scope))
          onProgress?.(records, total)
        },
      })
    } catch (error) {
      if (!stop?.aborted) throw error
    }
  }

  return {
    async prepare(scope, work) {
      if (work) return indexScope(scope, work)
      // Background work is indexing the same records already.
      const isDone = background && !scope ? false : await catchUp(connection, { scope, maxRecords })
      if (!isDone) await goOnInBackground()
    },
    async close() {
      closing.abort()
      await background
    },
  }
}
