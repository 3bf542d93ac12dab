import { createHash } from "node:crypto"
import {
  type Change,
  type LeaseToken,
  type MessageID,
  type MessageWithParts,
  NotFoundError,
  type Part,
  type Revision,
  type Session,
  type SessionID,
  type SessionQuery,
  StaleLeaseError,
  type Storage,
  StorageError,
  type WatchedChange,
  type Write,
} from "@pawl/core"

type WithoutRevision<C> = C extends unknown ? Omit<C, "revision"> : never

/** A session's record: the last change of each thing in it, removals included, by the thing's key. */
interface Stored {
  readonly revision: Revision
  readonly changes: ReadonlyMap<string, Change>
}

interface Held {
  readonly token: LeaseToken
  expires: number
}

/** Keeps everything in this process, for as long as it lives. The reference for every other storage. */
export function memoryStorage(): Storage {
  const records = new Map<SessionID, Stored>()
  const leases = new Map<SessionID, Held>()
  const epochs = new Map<SessionID, number>()
  const blobs = new Map<string, Uint8Array>()
  const watchers = new Set<(change: WatchedChange) => void>()
  let closed = false

  function assertOpen() {
    if (closed) throw new StorageError("This memory storage is closed.")
  }
  function assertCurrent(token: LeaseToken) {
    const held = leases.get(token.sessionID)
    if (held?.token.epoch !== token.epoch || held.token.owner !== token.owner) throw new StaleLeaseError(token.sessionID)
  }
  function read(id: SessionID): Stored {
    assertOpen()
    const record = records.get(id)
    if (!record) throw new NotFoundError(`There is no session ${id}.`)
    return record
  }
  function tell(change: WatchedChange) {
    for (const watcher of watchers) watcher(change)
  }
  function remove(id: SessionID) {
    for (const [childID, record] of records) if (sessionOf(record)?.parentID === id) remove(childID)
    if (records.delete(id)) tell({ sessionID: id, revision: 0 })
  }

  return {
    location: "memory:",
    async commit(id, writes, lease) {
      assertOpen()
      if (lease) assertCurrent(lease)
      const record = applied(id, records.get(id), writes)
      records.set(id, record)
      tell({ sessionID: id, revision: record.revision })
      return record.revision
    },
    async getSession(id) {
      assertOpen()
      const record = records.get(id)
      return record && clone(sessionOf(record))
    },
    async *listSessions(query = {}) {
      assertOpen()
      const sessions = [...records.values()].flatMap((record) => sessionOf(record) ?? [])
      const found = sessions.filter((session) => isWanted(session, query)).sort((a, b) => (a.id < b.id ? -1 : 1))
      for (const session of found.slice(0, query.limit)) yield clone(session)
    },
    async readContext(id) {
      const record = read(id)
      const session = sessionOf(record) as Session
      const messages = messagesOf(record).filter(({ info }) => info.id >= (session.boundary ?? ""))
      return clone({ session, revision: record.revision, messages })
    },
    async readChanges(id, after) {
      const changes = [...read(id).changes.values()].filter(({ revision }) => revision > after)
      return clone(changes.sort((a, b) => a.revision - b.revision))
    },
    async *readMessages(id, { before, limit } = {}) {
      const older = messagesOf(read(id)).filter(({ info }) => before === undefined || info.id < before)
      for (const message of older.toReversed().slice(0, limit)) yield clone(message)
    },
    async *watch({ sessionID }, signal) {
      assertOpen()
      const waiting = new Map<SessionID, WatchedChange>()
      let wake = () => {}
      const watcher = (change: WatchedChange) => {
        if (sessionID === undefined || sessionID === change.sessionID) waiting.set(change.sessionID, change)
        wake()
      }
      watchers.add(watcher)
      signal.addEventListener("abort", () => wake(), { once: true })
      try {
        while (!signal.aborted && !closed) {
          const [next] = waiting.values()
          if (next) {
            waiting.delete(next.sessionID)
            yield next
          } else await new Promise<void>((resolve) => (wake = resolve))
        }
      } finally {
        watchers.delete(watcher)
      }
    },
    async removeSession(id) {
      assertOpen()
      remove(id)
    },
    async acquire(id, owner, ttl) {
      assertOpen()
      const held = leases.get(id)
      if (held && held.expires > performance.now()) return undefined
      const epoch = (epochs.get(id) ?? 0) + 1
      epochs.set(id, epoch)
      const token: LeaseToken = { sessionID: id, owner, epoch }
      leases.set(id, { token, expires: performance.now() + ttl })
      return {
        token,
        async renew() {
          assertCurrent(token)
          leases.set(id, { token, expires: performance.now() + ttl })
        },
        async release() {
          if (leases.get(id)?.token === token) leases.delete(id)
        },
      }
    },
    blobs: {
      async put(bytes) {
        assertOpen()
        const id = createHash("sha256").update(bytes).digest("hex")
        blobs.set(id, Uint8Array.from(bytes))
        return id
      },
      async get(id) {
        assertOpen()
        const bytes = blobs.get(id)
        return bytes && Uint8Array.from(bytes)
      },
    },
    async close() {
      closed = true
      tell({ sessionID: "ses_", revision: 0 })
    },
  }
}

/** The record after the writes, or an error and the old record untouched. */
function applied(id: SessionID, record: Stored | undefined, writes: readonly Write[]): Stored {
  const revision = (record?.revision ?? 0) + 1
  const changes = new Map(record?.changes)
  const put = (key: string, change: WithoutRevision<Change>) => {
    changes.delete(key)
    changes.set(key, clone({ ...change, revision } as Change))
  }
  for (const write of writes) {
    const session = changes.get("session")
    if (write.type !== "session.put" && !session) throw new NotFoundError(`There is no session ${id}.`)
    switch (write.type) {
      case "session.put":
        put("session", write)
        break
      case "session.patch":
        if (session?.type !== "session.put") break
        put("session", { type: "session.put", session: { ...session.session, ...write.changes } as Session })
        break
      case "message.put":
        put(write.message.id, write)
        break
      case "part.put":
        if (changes.get(write.part.messageID)?.type !== "message.put") {
          throw new NotFoundError(`There is no message ${write.part.messageID} in session ${id}.`)
        }
        put(partKey(write.part.messageID, write.part.id), write)
        break
      case "message.remove":
        if (changes.get(write.messageID)?.type !== "message.put") break
        for (const key of [...changes.keys()]) if (key.startsWith(`${write.messageID}/`)) changes.delete(key)
        put(write.messageID, write)
        break
      case "part.remove": {
        const key = partKey(write.messageID, write.partID)
        if (changes.get(key)?.type === "part.put") put(key, write)
        break
      }
    }
  }
  return { revision, changes }
}

function partKey(messageID: MessageID, partID: string): string {
  return `${messageID}/${partID}`
}

function sessionOf({ changes }: Stored): Session | undefined {
  const change = changes.get("session")
  return change?.type === "session.put" ? change.session : undefined
}

function messagesOf({ changes }: Stored): MessageWithParts[] {
  const messages = new Map<string, { info: MessageWithParts["info"]; parts: Part[] }>()
  for (const change of changes.values()) {
    if (change.type === "message.put") messages.set(change.message.id, { info: change.message, parts: [] })
  }
  for (const change of changes.values()) {
    if (change.type === "part.put") messages.get(change.part.messageID)?.parts.push(change.part)
  }
  const sorted = [...messages.values()].sort((a, b) => (a.info.id < b.info.id ? -1 : 1))
  for (const { parts } of sorted) parts.sort((a, b) => (a.id < b.id ? -1 : 1))
  return sorted
}

function isWanted(session: Session, query: SessionQuery): boolean {
  const { directory, projectID, parentID, archived, title, after } = query
  if (directory !== undefined && session.directory !== directory) return false
  if (projectID !== undefined && session.projectID !== projectID) return false
  if (parentID !== undefined && (session.parentID ?? null) !== parentID) return false
  if (archived !== undefined && (session.time.archived !== undefined) !== archived) return false
  if (title !== undefined && !session.title.toLowerCase().includes(title.toLowerCase())) return false
  return after === undefined || session.id > after
}

/** Records are JSON, and nobody outside may hold a piece of one. */
function clone<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T)
}
