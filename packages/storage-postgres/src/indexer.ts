import type { LongWork } from "@pawl/core"
import type { Connection } from "./connection.ts"
import { catchUp, countRecords, countWork, type Scope } from "./derive.ts"

/** Brings the index up to date before a search. */
export interface Indexer {
  /**
   * Resolves when the index has all of the scope. Without `work` also if much is left: then the rest is indexed in the
   * background. With `work` also when its signal aborts.
   */
  readonly prepare: (scope: Scope | undefined, work?: LongWork) => Promise<void>
  /** Ends the work in the background; what is indexed stays. */
  readonly close: () => Promise<void>
}

export interface IndexerOptions {
  /** Records that a search waits for: about a second of work. */
  readonly maxRecords?: number
  /** Records between two notices of progress. */
  readonly recordsPerNotice?: number
  readonly onNotice?: ((message: string) => void) | undefined
}

/** Records that are indexed before the others are counted for the progress. */
const FEW_RECORDS = 200

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
      // The next search begins again where this one stopped, and reports what fails.
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
          if (records < FEW_RECORDS) return
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
      // Two at once would do the same work.
      const isDone = background && !scope ? false : await catchUp(connection, { scope, maxRecords })
      if (!isDone) await goOnInBackground()
    },
    async close() {
      closing.abort()
      await background
    },
  }
}
