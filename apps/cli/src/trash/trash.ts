import { readdir, readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { isSessionID, type Session, type SessionID, type Storage } from "@pawl/core"
import { privateDirectory, writeDurably } from "../files/durable-file.ts"
import { shownLocation } from "../session/print-sessions.ts"
import { type AuditLine, readAudit, writeAudit } from "./audit.ts"

/** Days that a removed session can be restored. */
export const KEPT_DAYS = 7
const DAY = 86_400_000

/** A removed session with all that was below it. */
export interface Removed {
  readonly id: SessionID
  readonly title: string
  readonly directory: string
  readonly sessions: number
  /** Epoch milliseconds. */
  readonly removed: number
  /** Where it was. */
  readonly storage: string
}

/** The removed sessions of a data directory: a document for each, as `session export` writes it, and a log of it all. */
export interface Trash {
  /** Keeps the session and all below it, which come first to last from the top. Durable when it resolves. */
  keep(storage: Storage, sessions: readonly [Session, ...Session[]]): Promise<void>
  /** Those that can be restored, newest first. */
  list(): Promise<Removed[]>
  /** The document of one of them. */
  read(id: SessionID): Promise<unknown>
  /** Notes that it is back and forgets it. */
  forget(removed: Removed): Promise<void>
  /** Deletes for good what was removed more than 7 days ago, and tells what that was. */
  purge(): Promise<Removed[]>
}

export interface TrashOptions {
  readonly dataDirectory: string
  /** Epoch milliseconds. */
  readonly now: () => number
}

export function createTrash({ dataDirectory, now }: TrashOptions): Trash {
  const directory = join(dataDirectory, "trash")
  const fileOf = (id: SessionID) => join(directory, `${id}.json`)

  async function note(action: AuditLine["action"], { id: sessionID, removed: _removed, ...facts }: Removed) {
    await writeAudit(directory, { time: new Date(now()).toISOString(), action, sessionID, ...facts })
  }
  async function all(): Promise<Removed[]> {
    const names = await readdir(directory).catch(() => [])
    const ids = names.flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -".json".length)] : []))
    const audit = await readAudit(directory)
    const found = await Promise.all(ids.filter(isSessionID).map((id) => removedSession(id, audit, fileOf(id))))
    return found.toSorted((a, b) => b.removed - a.removed)
  }

  return {
    async keep(storage, sessions) {
      const [{ id, title, directory: place }] = sessions
      const { writeSession } = await import("@pawl/transfer")
      await privateDirectory(directory)
      await writeDurably(fileOf(id), (sink) => writeSession(storage, id, sink))
      const facts = { title, directory: place, sessions: sessions.length, storage: shownLocation(storage) }
      await note("remove", { id, ...facts, removed: now() })
    },
    list: async () => (await all()).filter(({ removed }) => now() - removed < KEPT_DAYS * DAY),
    read: async (id) => JSON.parse(await readFile(fileOf(id), "utf8")) as unknown,
    async forget(removed) {
      await note("restore", removed)
      await rm(fileOf(removed.id), { force: true })
    },
    async purge() {
      const old = (await all()).filter(({ removed }) => now() - removed >= KEPT_DAYS * DAY)
      for (const removed of old) {
        await note("purge", removed)
        await rm(fileOf(removed.id), { force: true })
      }
      return old
    },
  }
}

/** What the log says of it; a document whose line is not there speaks for itself as far as it can. */
async function removedSession(id: SessionID, audit: readonly AuditLine[], file: string): Promise<Removed> {
  const line = audit.findLast(({ action, sessionID }) => action === "remove" && sessionID === id)
  if (!line) {
    const { mtimeMs } = await stat(file)
    return { id, title: "", directory: "", sessions: 1, removed: mtimeMs, storage: "" }
  }
  const { title, directory, sessions, storage, time } = line
  return { id, title, directory, sessions, storage, removed: Date.parse(time) }
}
