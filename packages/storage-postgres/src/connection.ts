import { createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Pool } from "pg"
import { createActivity } from "./activity.ts"
import { clientConfig } from "./client-config.ts"
import { codeOf, isPassing, isUnreachable, leavesConnection, toStorageError } from "./errors.ts"
import { quoted, requireSchemaName } from "./identifier.ts"
import { createLimiter } from "./limiter.ts"
import { parseLocation } from "./location.ts"
import type { PostgresStorageOptions } from "./options.ts"
import { runStatement } from "./run-statement.ts"

export type Value = string | number | boolean | null | Uint8Array | readonly (string | number | boolean | null)[]

export interface QueryOptions {
  /** In milliseconds. Default: that of the connection. */
  readonly timeout?: number
  /** Cancels the statement on the server; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** A pool of connections to one server. Each call is one statement, and a transaction of its own. */
export interface Connection {
  /** For messages: without the password. */
  readonly location: string
  readonly schema: string
  /**
   * Returns the rows of a statement, in which `pawl.` is replaced by the schema. While the server is unreachable, sends
   * the statement again, even if an earlier attempt may have taken effect, so each statement must be repeatable.
   * Rejects with a StorageError.
   */
  query<Row>(sql: string, values?: readonly Value[], options?: QueryOptions): Promise<Row[]>
  /**
   * Like `query`, for many rows: passes each row to the result of `begin` and keeps none. Calls `begin` each time the
   * statement is sent, since a failed attempt may have returned rows. Resolves with the last result of `begin`.
   */
  read<Reader extends { add(row: never): void }>(
    sql: string,
    values: readonly Value[],
    begin: () => Reader,
  ): Promise<Reader>
  close(): Promise<void>
}

/** For a statement that reads a complete session or table. */
export const LONG_TIMEOUT_MS = 600_000

const OPEN_TIMEOUT_MS = 10_000
const FIRST_RETRY_MS = 20
const MAX_RETRY_MS = 1000

export async function openConnection(options: PostgresStorageOptions): Promise<Connection> {
  const { schema = "pawl", poolSize = 8, retryTimeout = 20_000, statementTimeout = 30_000 } = options
  const openTimeout = Math.min(options.openTimeout ?? OPEN_TIMEOUT_MS, retryTimeout)
  requireSchemaName(schema)
  const server = parseLocation(options.url)
  const location = schema === "pawl" ? server.name : `${server.name}?schema=${schema}`
  const limited = createLimiter(poolSize)
  const attempts = createActivity(location)
  const pool = new Pool({ ...clientConfig(server, options), max: poolSize, allowExitOnIdle: true })
  // An idle connection was lost. If a statement was running, it fails, too.
  pool.on("error", ignore)
  pool.on("connect", (client) => client.on("error", ignore))

  const texts = new Map<string, { readonly text: string; readonly name: string }>()
  function statement(sql: string): { readonly text: string; readonly name: string } {
    const known = texts.get(sql)
    if (known) return known
    const text = sql.replaceAll("pawl.", () => `${quoted(schema)}.`)
    const made = { text, name: statementName(text) }
    texts.set(sql, made)
    return made
  }

  async function attempt<Row>(
    sql: string,
    values: readonly Value[],
    query: QueryOptions,
    onRow?: (row: Row) => void,
  ): Promise<Row[]> {
    const { timeout = statementTimeout, signal } = query
    signal?.throwIfAborted()
    const client = await pool.connect()
    let lost = true
    let isGivenUp = false
    try {
      const { text, name } = statement(sql)
      // A statement without values is sent as a simple query, which may contain several statements.
      const prepared = options.preparedStatements && values.length > 0
      const config = { text, ...(prepared && { name }), ...(values.length > 0 && { values: [...values] }) }
      const onGivenUp = () => (isGivenUp = true)
      const result = await runStatement(client, config, { location, timeout, signal, onGivenUp, onRow })
      lost = false
      return result.rows as Row[]
    } catch (error) {
      lost = !leavesConnection(error)
      throw error
    } finally {
      client.release(lost || isGivenUp)
    }
  }

  let reached = false
  let isNoticed = false
  function noticeWait(error: unknown, limit: number): void {
    if (reached || isNoticed) return
    isNoticed = true
    const reason = error instanceof Error ? error.message || codeOf(error) : String(error)
    options.onNotice?.(`${location} does not answer (${reason}). Trying again for up to ${Math.ceil(limit / 1000)} s.`)
  }
  async function persist<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    let failed: number | undefined
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
      try {
        const result = await work()
        reached = true
        return result
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        failed ??= performance.now()
        const waited = performance.now() - failed
        // If the server was never reached, it may not exist.
        const limit = !reached && isUnreachable(error) ? openTimeout : retryTimeout
        if (waited + wait > limit || !isPassing(error)) throw toStorageError(error, location, waited)
        noticeWait(error, limit)
      }
      // A random delay, so that many processes do not reconnect to a restarted server at the same time.
      await sleep(wait * (0.5 + Math.random()))
    }
  }

  return {
    location,
    schema,
    query: (sql, values = [], query = {}) =>
      limited(() => persist(() => attempts.run(() => attempt(sql, values, query)), query.signal)),
    read: (sql, values, begin) =>
      limited(() =>
        persist(() =>
          attempts.run(async () => {
            const reader = begin()
            await attempt(sql, values, {}, (row: never) => reader.add(row))
            return reader
          }),
        ),
      ),
    async close() {
      // The pool would not reject requests that wait for a connection.
      await attempts.close()
      await pool.end()
    },
  }
}

/** Cancels the statements of the connection when the signal aborts. */
export function abortable(connection: Connection, signal: AbortSignal | undefined): Connection {
  return {
    ...connection,
    query: (sql, values, query) => connection.query(sql, values, { signal, ...query }),
  }
}

function statementName(text: string): string {
  return `pawl_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`
}

/** Ignores the error: the current statement fails with it, too, or the next one opens a new connection. */
function ignore(): void {}
