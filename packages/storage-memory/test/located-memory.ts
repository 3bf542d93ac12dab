import { existsSync } from "node:fs"
import { type MaintainedStorage, StorageError } from "@pawl/core/storage"
import type { StoredRecord } from "@pawl/storage-testkit"
import { memoryStorage } from "../src/memory-storage.ts"
import { type DamagedMemory, damagedMemory } from "./damaged-memory.ts"
import { replayCalls } from "./recorded-calls.ts"

export type Open = (location: string) => MaintainedStorage

export interface LocatedMemory {
  /** Opens what is kept at a location; where `recordCalls` wrote a file, what these calls stored. */
  readonly open: Open
  /** How many records were read through all handles: each that was handed out counts. */
  readonly countReads: () => number
  readonly damage: (location: string, record: StoredRecord) => void
}

/** Memory storages that keep their record at a location, for as long as this object lives. */
export function locatedMemory(): LocatedMemory {
  const records = new Map<string, DamagedMemory>()
  let reads = 0
  const count = (some: number) => (reads += some)
  return {
    open(location) {
      const record = records.get(location) ?? damagedMemory(memoryStorage())
      if (!records.has(location) && existsSync(location)) replayCalls(record.storage, location)
      records.set(location, record)
      return openHandle(record.storage, count)
    },
    countReads: () => reads,
    damage: (location, record) => records.get(location)?.damage(record),
  }
}

/** A handle that is closed for itself. */
function openHandle(record: MaintainedStorage, count: (some: number) => void): MaintainedStorage {
  const closed = new AbortController()
  function used(): MaintainedStorage {
    if (closed.signal.aborted)
      throw new StorageError(`The storage ${record.location} is closed. Open it again to go on.`)
    return record
  }
  async function* counted<T>(items: AsyncIterable<T>, size: (item: T) => number): AsyncGenerator<T> {
    for await (const item of items) {
      count(size(item))
      yield item
    }
  }
  return {
    location: record.location,
    commit: async (id, writes, lease) => used().commit(id, writes, lease),
    async getSession(id) {
      count(1)
      return used().getSession(id)
    },
    listSessions: (query) => counted(used().listSessions(query), () => 1),
    async readContext(id) {
      const context = await used().readContext(id)
      count(context.messages.reduce((sum, { parts }) => sum + 1 + parts.length, 1))
      return context
    },
    async readChanges(id, after) {
      const changes = await used().readChanges(id, after)
      count(changes.length)
      return changes
    },
    readRevisions: async (ids) => (await used().readRevisions?.(ids)) ?? new Map(),
    readMessages: (id, query) => counted(used().readMessages(id, query), ({ parts }) => 1 + parts.length),
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
