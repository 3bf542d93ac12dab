import { createHash } from "node:crypto"
import type { Context, MessageWithParts, SessionID, MaintainedStorage } from "@pawl/core/storage"

export interface ObservedSession {
  readonly context: Context
  /** Oldest first. */
  readonly messages: readonly MessageWithParts[]
  readonly isListed: boolean
}

/** The sessions and blobs that a storage returns. Missing ones are not in the maps. */
export interface Observation {
  readonly sessions: ReadonlyMap<SessionID, ObservedSession>
  /** By id; true if the bytes match the id. */
  readonly blobs: ReadonlyMap<string, boolean>
}

export interface Subjects {
  readonly sessions: Iterable<SessionID>
  readonly blobs: Iterable<string>
}

/** Reads in every way that the storage offers. Rejects if one of them fails. */
export async function observe(storage: MaintainedStorage, { sessions, blobs }: Subjects): Promise<Observation> {
  const seen = new Map<SessionID, ObservedSession>()
  for (const id of sessions) {
    const session = await storage.getSession(id)
    const { directory } = session ?? {}
    const listed = await collect(storage.listSessions(directory === undefined ? {} : { directory }))
    const isListed = listed.some((each) => each.id === id)
    if (!session) continue
    const messages = (await collect(storage.readMessages(id))).toReversed()
    seen.set(id, { context: await storage.readContext(id), messages, isListed })
  }
  const whole = new Map<string, boolean>()
  for (const id of blobs) {
    const bytes = await storage.blobs.get(id)
    if (bytes) whole.set(id, createHash("sha256").update(bytes).digest("hex") === id)
  }
  return { sessions: seen, blobs: whole }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}
