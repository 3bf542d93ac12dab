import { type Storage, StorageError } from "@pawl/core"
import { memoryStorage } from "../src/memory-storage.ts"

export type Open = (location: string) => Storage

/** Opens memory storages that keep their record at a location, for as long as the returned function lives. */
export function locatedMemory(): Open {
  const records = new Map<string, Storage>()
  return (location) => {
    const record = records.get(location) ?? memoryStorage()
    records.set(location, record)
    return openHandle(record)
  }
}

/** A handle that is closed for itself. */
function openHandle(record: Storage): Storage {
  const closed = new AbortController()
  function used(): Storage {
    if (closed.signal.aborted)
      throw new StorageError(`The storage ${record.location} is closed. Open it again to go on.`)
    return record
  }
  return {
    location: record.location,
    commit: async (id, writes, lease) => used().commit(id, writes, lease),
    getSession: async (id) => used().getSession(id),
    listSessions: (query) => used().listSessions(query),
    readContext: async (id) => used().readContext(id),
    readChanges: async (id, after) => used().readChanges(id, after),
    readMessages: (id, query) => used().readMessages(id, query),
    watch: (filter, signal) => used().watch(filter, AbortSignal.any([signal, closed.signal])),
    removeSession: async (id) => used().removeSession(id),
    acquire: async (id, owner, ttl) => used().acquire(id, owner, ttl),
    blobs: { put: async (bytes) => used().blobs.put(bytes), get: async (id) => used().blobs.get(id) },
    search: (query) => used().search(query),
    stats: async () => used().stats(),
    verify: (work) => used().verify(work),
    rebuild: async (work) => used().rebuild(work),
    gc: async (options) => used().gc(options),
    close: async () => closed.abort(),
  }
}
