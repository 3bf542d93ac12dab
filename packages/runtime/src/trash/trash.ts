import { createHash } from "node:crypto"
import { readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { isSessionID, type Session, type SessionID } from "@pawl/core/record"
import type { Storage } from "@pawl/core/storage"
import { privateDirectory, writeDurably } from "@pawl/files/durable-file"
import { statusOf } from "@pawl/files/status-of"
import { shownLocation } from "../storage/shown-location.ts"
import { type AuditLine, readAudit, writeAudit } from "./audit.ts"

/** Days that a removed session can be restored. */
export const KEPT_DAYS = 7
const DAY_MS = 86_400_000

/** A removed session with its child sessions. */
export interface Removed {
  readonly id: SessionID
  readonly title: string
  readonly directory: string
  readonly sessions: number
  /** Epoch milliseconds. */
  readonly removed: number
  /** Location of its storage, without passwords. Empty if unknown. */
  readonly storage: string
  /** Its document, absolute. */
  readonly file: string
}

/** The removed sessions of a data directory: a document for each, as `session export` writes it, and a log of all actions. */
export interface Trash {
  /** Keeps the session and its child sessions, parents first. Durable when it resolves. */
  keep(storage: Storage, sessions: readonly [Session, ...Session[]]): Promise<void>
  /** Lists the sessions that can be restored, newest first. Contains an id once for each time it was removed. */
  list(): Promise<Removed[]>
  /** Reads the document of a removed session. */
  read(removed: Removed): Promise<unknown>
  /** Deletes the document of a session that was restored, and logs that. */
  forget(removed: Removed): Promise<void>
  /** Deletes the documents of sessions removed more than 7 days ago, and returns these sessions. */
  purge(): Promise<Removed[]>
}

export interface TrashOptions {
  readonly dataDirectory: string
  /** Epoch milliseconds. */
  readonly now: () => number
}

export function createTrash({ dataDirectory, now }: TrashOptions): Trash {
  const directory = join(dataDirectory, "trash")

  async function note(action: AuditLine["action"], at: number, removed: Omit<Removed, "removed">, name: string) {
    const { id: sessionID, title, directory: sessionDirectory, sessions, storage } = removed
    const facts = { sessionID, title, directory: sessionDirectory, sessions, storage, file: name }
    await writeAudit(directory, { time: new Date(at).toISOString(), action, ...facts })
  }
  async function all(): Promise<Removed[]> {
    const names = await readdir(directory).catch(() => [])
    const audit = await readAudit(directory)
    const found = await Promise.all(names.map((name) => keptSession(directory, name, audit)))
    return found.filter((each) => each !== undefined).toSorted((a, b) => b.removed - a.removed)
  }
  async function drop(action: AuditLine["action"], removed: Removed): Promise<void> {
    await note(action, now(), removed, removed.file.slice(directory.length + 1))
    await rm(removed.file, { force: true })
  }

  return {
    async keep(storage, sessions) {
      const [{ id, title, directory: sessionDirectory }] = sessions
      const { writeSession } = await import("@pawl/transfer")
      const at = now()
      const name = fileName(id, storage.location, at)
      const file = join(directory, name)
      await privateDirectory(directory)
      await writeDurably(file, (sink) => writeSession(storage, id, sink))
      const facts = { title, directory: sessionDirectory, sessions: sessions.length, storage: shownLocation(storage) }
      await note("remove", at, { id, ...facts, file }, name)
    },
    list: async () => (await all()).filter(({ removed }) => now() - removed < KEPT_DAYS * DAY_MS),
    read: async ({ file }) => JSON.parse(await readFile(file, "utf8")) as unknown,
    forget: (removed) => drop("restore", removed),
    async purge() {
      const old = (await all()).filter(({ removed }) => now() - removed >= KEPT_DAYS * DAY_MS)
      for (const removed of old) await drop("purge", removed)
      return old
    },
  }
}

/** Has the storage and the time, because the same id can be removed several times and from several storages. */
function fileName(id: SessionID, location: string, at: number): string {
  return `${id}.${createHash("sha256").update(location).digest("hex").slice(0, 12)}.${at}.json`
}

const UNKNOWN = { title: "", directory: "", sessions: 1, storage: "" } as const

/** Returns the facts from the log. If the line is missing, reads them from the document. */
async function keptSession(directory: string, name: string, audit: readonly AuditLine[]): Promise<Removed | undefined> {
  const [, id = "", at] = /^([^.]+)(?:\.[\da-f]{12}\.(\d+))?\.json$/.exec(name) ?? []
  if (!isSessionID(id)) return undefined
  const file = join(directory, name)
  const line = audit.findLast(({ action, sessionID, file: noted = `${sessionID}.json` }) => {
    return action === "remove" && noted === name
  })
  if (!line) {
    const removed = at === undefined ? (await statusOf(file))?.mtimeMs : Number(at)
    return removed === undefined ? undefined : { ...UNKNOWN, id, removed, file }
  }
  const { title, directory: sessionDirectory, sessions, storage, time } = line
  return { id, title, directory: sessionDirectory, sessions, storage, removed: Date.parse(time), file }
}
