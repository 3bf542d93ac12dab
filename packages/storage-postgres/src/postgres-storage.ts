import { randomUUID } from "node:crypto"
import type { MaintainedStorage } from "@pawl/core/storage"
import { currentProcess } from "@pawl/storage-kit"
import { toColumn } from "./column.ts"
import { createActivity } from "./activity.ts"
import { createBlobStore } from "./blobs.ts"
import { createChangeFeed, readSeen, type Seen } from "./change-feed.ts"
import { createCommitter } from "./committer.ts"
import { clientConfig } from "./client-config.ts"
import { type Connection, openConnection } from "./connection.ts"
import { collectGarbage } from "./gc.ts"
import { changedSessions, channelOf, createHints } from "./hints.ts"
import { acquireLease, readHolder } from "./lease.ts"
import { createIndexer } from "./indexer.ts"
import { listSessions } from "./list-sessions.ts"
import { createListener } from "./listener.ts"
import { parseLocation, parseOptions } from "./location.ts"
import type { PostgresStorageOptions } from "./options.ts"
import { purgeRemoved } from "./purge.ts"
import { readChanges } from "./read-changes.ts"
import { readMessages } from "./read-messages.ts"
import { readContext, readRevisions, readSession } from "./read-session.ts"
import { rebuild } from "./rebuild.ts"
import { ensureSchema } from "./schema.ts"
import { search } from "./search.ts"
import { readStats } from "./stats.ts"
import { verify } from "./verify.ts"

/** Stores sessions in a schema of a PostgreSQL database, for many processes and machines. Rejects with a StorageError. */
export async function postgresStorage(options: PostgresStorageOptions): Promise<MaintainedStorage> {
  const connection = await openConnection(options)
  try {
    await ensureSchema(connection)
    return createStorage(connection, options, await readSeen(connection))
  } catch (error) {
    await connection.close()
    throw error
  }
}

/**
 * Accepts `postgres://user:password@host:5432/database`, with parameters of the client (`sslmode` …) and `schema`,
 * `pool_size`, `listen` (a URL, or `off`), `prepared_statements` and `connect_timeout`.
 */
export async function openStorage(
  url: string,
  { onNotice }: Pick<PostgresStorageOptions, "onNotice"> = {},
): Promise<MaintainedStorage> {
  return postgresStorage({ ...parseOptions(url), onNotice })
}

/** `opened`: the state of commits at that time. */
export function createStorage(
  connection: Connection,
  options: PostgresStorageOptions,
  opened: Seen,
): MaintainedStorage {
  const { listenURL = options.url, pollInterval = 500 } = options
  const channel = channelOf(connection.schema)
  const source = randomUUID()
  const activity = createActivity(connection.location)
  const committer = createCommitter(connection)
  const hints = createHints(connection, channel, source)
  const listener =
    listenURL === false
      ? undefined
      : createListener({
          config: clientConfig(parseLocation(listenURL), options),
          channel,
          onHint(payload) {
            const sessions = changedSessions(payload, source)
            if (sessions) feed.lookFor(sessions)
            else feed.look()
          },
          onListening: () => feed.look(),
        })
  const feed = createChangeFeed({ connection, listener, pollInterval, opened })
  const blobs = createBlobStore(connection)
  const leases = { connection, self: currentProcess() }
  const indexer = createIndexer(connection, { onNotice: options.onNotice })
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    await activity.close()
    await Promise.all([feed.close(), hints.flush(), indexer.close()])
    await connection.close()
  }

  return {
    location: connection.location,
    commit: (id, writes, lease) =>
      activity.run(async () => {
        const revision = await committer.commit(id, writes, lease, feed.ready())
        hints.send(id, revision)
        feed.committed({ sessionID: id, revision })
        return revision
      }),
    getSession: (id) => activity.run(() => readSession(connection, id)),
    listSessions: (query) => activity.iterate(listSessions(connection, query)),
    readContext: (id) => activity.run(() => readContext(connection, id)),
    readChanges: (id, after) => activity.run(() => readChanges(connection, id, after)),
    readRevisions: (ids) => activity.run(() => readRevisions(connection, ids)),
    readMessages: (id, query) => activity.iterate(readMessages(connection, id, query)),
    watch: (filter, signal) => feed.watch(filter, signal),
    removeSession: (id) =>
      activity.run(async () => {
        await feed.ready()
        await connection.query("SELECT pawl.remove_session($1)", [toColumn(id)])
        hints.send(id, 0)
        feed.committed({ sessionID: id, revision: 0 })
        await purgeRemoved(connection)
      }),
    acquire: (id, owner, ttl) => activity.run(() => acquireLease(leases, id, owner, ttl)),
    leaseHolder: (id) => activity.run(() => readHolder(leases, id)),
    blobs: {
      put: (bytes) => activity.run(() => blobs.put(bytes)),
      get: (id) => activity.run(() => blobs.get(id)),
    },
    search: (query, work) => activity.iterate(search(connection, query, (scope) => indexer.prepare(scope, work))),
    stats: () => activity.run(() => readStats(connection)),
    verify: (work) => activity.iterate(verify(connection, work)),
    rebuild: (work) => activity.run(() => rebuild(connection, work)),
    gc: (gcOptions) => activity.run(() => collectGarbage(connection, gcOptions)),
    close: () => (closing ??= close()),
  }
}
