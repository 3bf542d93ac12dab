import {
  type Session,
  type SessionID,
  type SessionQuery,
  type MaintainedStorage,
  StorageError,
} from "@pawl/core/storage"
import { createBlobs } from "./blobs.ts"
import { createLeases } from "./leases.ts"
import {
  changesOf,
  commitWrites,
  compareText,
  copy,
  emptyRecord,
  messageIDsOf,
  messageOf,
  missingSession,
  type SessionRecord,
  sessionOf,
  storedSession,
} from "./record.ts"
import { createWatchers } from "@pawl/storage-kit"
import { referencedBlobs, searchRecords, statsOf } from "./whole-record.ts"

/**
 * The reference implementation of the storage contract, for tests and for runs that store nothing. `location` is the
 * storage's name, for storages that are built on this one.
 */
export function memoryStorage(location = "memory"): MaintainedStorage {
  const sessions = new Map<SessionID, SessionRecord>()
  const leases = createLeases()
  const watchers = createWatchers()
  const blobs = createBlobs(assertOpen)
  let closed = false

  function assertOpen(): void {
    if (closed) throw new StorageError(`The storage ${location} is closed. Open it again to go on.`)
  }
  function find(id: SessionID): SessionRecord | undefined {
    assertOpen()
    return sessions.get(id)
  }
  function require(id: SessionID): SessionRecord {
    const record = find(id)
    if (!record) throw missingSession(id)
    return record
  }
  /** Returns the session and its descendants. */
  function tree(id: SessionID): Set<SessionID> {
    const ids = new Set([id])
    for (const parent of ids) {
      for (const [child, record] of sessions) if (storedSession(record).parentID === parent) ids.add(child)
    }
    return ids
  }

  return {
    location,

    async commit(id, writes, lease) {
      const record = find(id) ?? emptyRecord()
      if (lease) leases.prove(id, lease)
      const revision = commitWrites(id, record, writes)
      sessions.set(id, record)
      watchers.notify({ sessionID: id, revision })
      return revision
    },

    async getSession(id) {
      const record = find(id)
      return record && sessionOf(record)
    },

    async *listSessions(query = {}) {
      assertOpen()
      const found = [...sessions.values()].map(storedSession).filter((session) => matches(session, query))
      const page = found.toSorted((a, b) => compareText(a.id, b.id)).slice(0, query.limit)
      for (const session of page) yield copy(session)
    },

    async readContext(id) {
      const record = require(id)
      const session = sessionOf(record)
      const messages = messageIDsOf(record, { from: session.boundary }).map((each) => copy(messageOf(record, each)))
      return { session, revision: record.revision, messages }
    },

    async readChanges(id, after) {
      return changesOf(require(id), after)
    },

    async readRevisions(ids) {
      return new Map(
        ids.flatMap((id) => {
          const record = find(id)
          return record ? [[id, record.revision]] : []
        }),
      )
    },

    async *readMessages(id, { before, limit, assistantParts = true } = {}) {
      const record = find(id)
      const ids = record ? messageIDsOf(record, { before }).toReversed().slice(0, limit) : []
      const messages = record ? ids.map((each) => messageOf(record, each)) : []
      for (const { info, parts } of messages) {
        yield copy({ info, parts: assistantParts || info.role === "user" ? parts : [] })
      }
    },

    watch(filter, signal) {
      assertOpen()
      return watchers.watch(filter, signal)
    },

    async removeSession(id) {
      if (!find(id)) return
      for (const gone of tree(id)) {
        sessions.delete(gone)
        leases.end(gone)
        watchers.notify({ sessionID: gone, revision: 0 })
      }
    },

    async acquire(id, owner, ttl) {
      require(id)
      return leases.acquire(id, owner, ttl)
    },

    leaseHolder: async (id) => leases.holder(id),

    blobs,

    async *search(query) {
      assertOpen()
      yield* searchRecords(sessions.values(), query)
    },

    async stats() {
      assertOpen()
      return statsOf(sessions.values(), blobs.sizes())
    },

    async *verify({ signal } = {}) {
      assertOpen()
      signal?.throwIfAborted()
      for (const id of referencedBlobs(sessions.values())) {
        if (!blobs.has(id)) yield { kind: "reference", subject: id, message: `Blob ${id} is referred to and missing.` }
      }
    },

    // Memory holds no derived data.
    async rebuild({ signal } = {}) {
      assertOpen()
      signal?.throwIfAborted()
    },

    async gc({ minAge, signal } = {}) {
      assertOpen()
      signal?.throwIfAborted()
      const referenced = referencedBlobs(sessions.values())
      return blobs.removeUnless((id) => referenced.has(id), minAge)
    },

    async close() {
      closed = true
      watchers.end()
    },
  }
}

function matches(session: Session, query: SessionQuery): boolean {
  const { directory, projectID, parentID, archived, title, after } = query
  return (
    (directory === undefined || session.directory === directory) &&
    (projectID === undefined || session.projectID === projectID) &&
    (parentID === undefined || session.parentID === (parentID ?? undefined)) &&
    (archived === undefined || (session.time.archived !== undefined) === archived) &&
    (title === undefined || session.title.toLowerCase().includes(title.toLowerCase())) &&
    (after === undefined || session.id > after)
  )
}

/** Accepts `memory:` only, without a path. */
export async function openStorage(url: string): Promise<MaintainedStorage> {
  if (url === "memory:") return memoryStorage()
  throw new StorageError(`Invalid URL "${url}" for storage in memory. Use "memory:".`)
}
