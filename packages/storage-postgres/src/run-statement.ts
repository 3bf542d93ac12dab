import { setTimeout as sleep } from "node:timers/promises"
import { type ClientBase, Query, type QueryConfig, type QueryResult } from "pg"
import { requestCancel } from "./cancel.ts"
import { codeOf, STATEMENT_CANCELLED, tooSlowError } from "./errors.ts"

/** Time for the server to answer after it was asked to cancel a statement. */
const GRACE_MS = 2000

export interface StatementLimits {
  /** For messages: without the password. */
  readonly location: string
  /** In milliseconds. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
  /**
   * Called when the server is asked to cancel the statement. The request may arrive late and cancel a later statement,
   * so the connection must not be used again.
   */
  readonly onGivenUp: () => void
  /** Called with each row when it arrives. Then the result has no rows. */
  readonly onRow?: ((row: never) => void) | undefined
}

/**
 * Runs a statement. When the timeout ends or the signal aborts, the server cancels the statement and releases its
 * locks. Then rejects with a StorageError or the signal's reason, but resolves if the statement completed first. If the
 * server does not answer in time, the statement may have taken effect.
 */
export async function runStatement(
  client: ClientBase,
  query: QueryConfig,
  { location, timeout, signal, onGivenUp, onRow }: StatementLimits,
): Promise<QueryResult> {
  // The signal may have aborted while waiting for the connection.
  signal?.throwIfAborted()
  const silence = Promise.withResolvers<never>()
  silence.promise.catch(() => {})
  let cancelRequest: Promise<void> | undefined

  function giveUp(): void {
    if (cancelRequest) return
    onGivenUp()
    cancelRequest = requestCancel(client)
    const silent = cancelRequest.then(() => sleep(GRACE_MS, undefined, { ref: false }))
    void silent.then(() => silence.reject(signal?.aborted ? signal.reason : new Error("Query read timeout")))
  }

  const timer = setTimeout(giveUp, timeout)
  signal?.addEventListener("abort", giveUp)
  try {
    return await Promise.race([onRow ? queryRows(client, query, onRow) : client.query(query), silence.promise])
  } catch (error) {
    if (cancelRequest === undefined || codeOf(error) !== STATEMENT_CANCELLED) throw error
    throw signal?.aborted ? signal.reason : tooSlowError(location, timeout, error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", giveUp)
    await cancelRequest
  }
}

/** Runs a query and passes each row to `onRow`. Rejects if `onRow` throws. */
function queryRows(client: ClientBase, config: QueryConfig, onRow: (row: never) => void): Promise<QueryResult> {
  const { promise, resolve, reject } = Promise.withResolvers<QueryResult>()
  const query = new Query(config)
  query.on("row", (row) => {
    try {
      onRow(row as never)
    } catch (error) {
      reject(error)
    }
  })
  query.on("end", resolve)
  query.on("error", reject)
  client.query(query)
  return promise
}
