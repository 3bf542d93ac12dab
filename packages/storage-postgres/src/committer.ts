import { createHash, randomUUID } from "node:crypto"
import {
  type LeaseToken,
  NotFoundError,
  type Revision,
  type SessionID,
  StaleLeaseError,
  StorageError,
  type Write,
} from "@pawl/core/storage"
import { fromColumn, toColumn } from "./column.ts"
import { raised } from "./commit-function.ts"
import type { Connection } from "./connection.ts"
import { codeOf } from "./errors.ts"
import { applyEdit, type PreparedCommit, prepareCommit } from "./prepared-commit.ts"
import { createQueues } from "./queues.ts"

export interface Committer {
  /** Sends the commit when `ready` has resolved. */
  commit(id: SessionID, writes: readonly Write[], lease?: LeaseToken, ready?: Promise<unknown>): Promise<Revision>
}

/** Number of recently written sessions whose JSON is cached, so that a patch needs no read. */
const MAX_CACHED_SESSIONS = 200
const MAX_KEPT_LENGTH = 64 * 1024

/**
 * Sends the commits of one process. The process identifies itself to the server and numbers its commits, so that the
 * server recognizes a commit that is sent again because its result is unknown. This requires that the commits of one
 * session run one after another.
 */
export function createCommitter(connection: Connection): Committer {
  const writer = randomUUID()
  const queues = createQueues()
  const sessions = new Map<SessionID, string>()
  let lastNumber = 0

  function keep(id: SessionID, json: string): void {
    sessions.delete(id)
    if (json.length > MAX_KEPT_LENGTH) return
    sessions.set(id, json)
    const [oldest] = sessions.keys()
    if (sessions.size > MAX_CACHED_SESSIONS && oldest !== undefined) sessions.delete(oldest)
  }

  async function run(id: SessionID, prepared: PreparedCommit, lease: LeaseToken | undefined): Promise<Revision> {
    const number = ++lastNumber
    const { session } = prepared
    let base = session?.type === "patch" ? (sessions.get(id) ?? "") : ""
    for (;;) {
      // The first statement has an empty base, so the server returns the state that the patch needs.
      const after =
        session && (session.type === "put" || base !== "") ? applied(connection, id, prepared, base) : undefined
      const writes = prepared.records.flatMap((record) =>
        record !== "session" ? record : after ? { kind: "put", messageID: "", partID: "", data: after.json } : [],
      )
      const [row] = await connection.query<{ o_revision: number | null; o_base: string | null }>(
        "SELECT * FROM pawl.commit_writes($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        [
          toColumn(id),
          writer,
          number,
          lease ? toColumn(lease.owner) : null,
          lease?.epoch ?? null,
          prepared.creates,
          session?.type === "patch" ? md5(base) : null,
          after?.listing ?? null,
          writes.map(({ kind }) => kind),
          writes.map(({ messageID }) => messageID),
          writes.map(({ partID }) => partID),
          writes.map(({ data }) => data),
        ],
      )
      if (row && row.o_revision !== null) {
        if (after) keep(id, after.json)
        return row.o_revision
      }
      if (typeof row?.o_base !== "string") throw damagedSession(connection, id)
      base = row.o_base
    }
  }

  return {
    async commit(id, writes, lease, ready) {
      if (lease && lease.sessionID !== id) throw new StaleLeaseError(id)
      const prepared = prepareCommit(id, writes)
      return queues.run(id, async () => {
        await ready
        try {
          return await run(id, prepared, lease)
        } catch (error) {
          throw toCommitError(id, error)
        }
      })
    },
  }
}

function applied(connection: Connection, id: SessionID, { session }: PreparedCommit, base: string) {
  try {
    return session && applyEdit(session, base)
  } catch (error) {
    throw damagedSession(connection, id, error)
  }
}

function damagedSession({ location }: Connection, id: SessionID, cause?: unknown): StorageError {
  const message = `The record of session ${id} at ${location} is damaged, so a part of it cannot be changed. Rebuild the storage.`
  return new StorageError(message, { cause })
}

function toCommitError(id: SessionID, error: unknown): unknown {
  const cause = error instanceof StorageError ? error.cause : error
  switch (codeOf(cause ?? {})) {
    case raised.staleLease:
      return new StaleLeaseError(id)
    case raised.missingSession:
      return missingSession(id)
    case raised.missingMessage: {
      const { detail = "" } = cause as { readonly detail?: string }
      return new NotFoundError(`Message ${fromColumn(detail)} does not exist in session ${id}.`)
    }
    default:
      return error
  }
}

export function missingSession(id: SessionID): NotFoundError {
  return new NotFoundError(`Session ${id} does not exist.`)
}

function md5(text: string): string {
  return createHash("md5").update(text).digest("hex")
}
