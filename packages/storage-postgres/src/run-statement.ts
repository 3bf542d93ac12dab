import { setTimeout as sleep } from "node:timers/promises"
import { type ClientBase, Query, type QueryConfig, type QueryResult } from "pg"
import { requestCancel } from "./cancel.ts"
import { codeOf, STATEMENT_CANCELLED, tooSlowError } from "./errors.ts"

/** After it was asked to give up a statement, the server has so long to say that it did. */
const GRACE_MS = 2000

export interface StatementLimits {
  /** For people: without the password. */
  readonly location: string
  /** In milliseconds. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
  /** Called when the server is asked to give the statement up. The request may be late, so nothing else must run there. */
  readonly onGivenUp: () => void
  /** Gets each row as it comes; the result has none then. */
  readonly onRow?: ((row: never) => void) | undefined
}

/**
 * Runs a statement, which the server gives up, with its locks, when the time is over or the signal aborts. Rejects then with
 * a StorageError or the signal's reason, and resolves nevertheless where the statement came first. Where the server does not
 * say in time which it was, the statement may have taken effect.
 */
export async function runStatement(
  client: ClientBase,
  query: QueryConfig,
  { location, timeout, signal, onGivenUp, onRow }: StatementLimits,
): Promise<QueryResult> {
  // While it waited for its connection.
  signal?.throwIfAborted()
  const silence = Promise.withResolvers<never>()
  silence.promise.catch(() => {})
  let asked: Promise<void> | undefined

  function giveUp(): void {
    if (asked) return
    onGivenUp()
    asked = requestCancel(client)
    const silent = asked.then(() => sleep(GRACE_MS, undefined, { ref: false }))
    void silent.then(() => silence.reject(signal?.aborted ? signal.reason : new Error("Query read timeout")))
  }

  const timer = setTimeout(giveUp, timeout)
  signal?.addEventListener("abort", giveUp)
  try {
    return await Promise.race([onRow ? queryRows(client, query, onRow) : client.query(query), silence.promise])
  } catch (error) {
    if (asked === undefined || codeOf(error) !== STATEMENT_CANCELLED) throw error
    throw signal?.aborted ? signal.reason : tooSlowError(location, timeout, error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", giveUp)
    await asked
  }
}

/** Rejects once the statement has ended if `onRow` throws. */
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
