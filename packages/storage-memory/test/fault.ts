import type { MessageWithParts, SessionID, MaintainedStorage, WatchedChange, Write } from "@pawl/core/storage"
import type { Open } from "./located-memory.ts"

/** One way in which a storage breaks the contract, made from storages that keep it. */
export interface Fault {
  /** What the storage does: "drops empty values". */
  readonly fault: string
  /** The specs that must notice it. */
  readonly breaks: readonly string[]
  readonly open: (open: Open) => Open
}

type Messages = readonly MessageWithParts[]

/** Every handle with some of its calls replaced. */
export function replacing(replace: (storage: MaintainedStorage) => Partial<MaintainedStorage>): Fault["open"] {
  return (open) => (location) => {
    const storage = open(location)
    return { ...storage, ...replace(storage) }
  }
}

/** Commits other writes than those asked for. */
export function committing(change: (writes: readonly Write[]) => readonly Write[]): Fault["open"] {
  return replacing((storage) => ({
    commit: async (id, writes, lease) => storage.commit(id, change(writes), lease),
  }))
}

/** Commits writes with each of their values, at every depth, passed through `change`; undefined drops the field. */
export function changingValues(change: (value: unknown, name: string) => unknown): Fault["open"] {
  return committing((writes) => {
    const revive = (name: string, value: unknown) => change(value, name)
    return writes.map((write) => JSON.parse(JSON.stringify(write), revive) as Write)
  })
}

/** Reads the context with its messages changed. */
export function changingContext(
  change: (messages: Messages, storage: MaintainedStorage, id: SessionID) => Messages | Promise<Messages>,
): Fault["open"] {
  return replacing((storage) => ({
    readContext: async (id) => {
      const context = await storage.readContext(id)
      return { ...context, messages: await change(context.messages, storage, id) }
    },
  }))
}

/** Watches as ever and tells what `tell` makes of it; ends soon instead of waiting for what is never told. */
export function watching(tell: (changes: AsyncIterable<WatchedChange>) => AsyncIterable<WatchedChange>): Fault["open"] {
  return replacing((storage) => ({ watch: (filter, signal) => tell(storage.watch(filter, soon(signal))) }))
}

export function soon(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(100)])
}

export async function oldestFirst(storage: MaintainedStorage, id: SessionID): Promise<Messages> {
  return (await collect(storage.readMessages(id))).toReversed()
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}
