import { closeSync, mkdirSync, openSync, writeSync } from "node:fs"
import { readdir, readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Revision, SessionID } from "@pawl/core/storage"

/** What a client that has seen the events up to a position knows of the storage. */
export interface KnownRevisions {
  /** The last commit of each session that the client has seen. */
  readonly revisions: ReadonlyMap<SessionID, Revision>
  /** When the server of the position last saw a commit, in epoch milliseconds. Later commits are not in `revisions`. */
  readonly until: number
}

/** Records which commits each position of the event log includes, in a file that outlives the server. */
export interface Positions {
  /** Records that the events up to this number include the session's commits up to this revision. */
  record(number: number, sessionID: SessionID, revision: Revision): void
  /** Returns undefined for an unknown position. Positions of the last few servers are known. */
  at(epoch: string, number: number): Promise<KnownRevisions | undefined>
  close(): void
}

/** Number of files of earlier servers that are kept. */
const MAX_FILES = 8
/** A position that was recorded after a file is full is unknown to later servers. */
const MAX_FILE_BYTES = 32 * 1024 * 1024
/** Marks the end of a full file. */
const FULL = "full\n"

/** Opens the record in a directory, which is created. Throws if the directory cannot be written. */
export function openPositions(directory: string, epoch: string, maxBytes = MAX_FILE_BYTES): Positions {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = openSync(join(directory, epoch), "ax", 0o600)
  let bytes = 0
  let isOpen = true
  void removeOld(directory).catch(() => undefined)

  return {
    record(number, sessionID, revision) {
      if (!isOpen || bytes > maxBytes) return
      const line = `${number} ${sessionID} ${revision}\n`
      bytes += line.length
      // In one write, which survives the death of the process. Not synced: after a power cut, more events are repeated.
      writeSync(file, bytes > maxBytes ? FULL : line)
    },
    async at(epochOfClient, number) {
      if (!/^[\da-f]{12}$/.test(epochOfClient)) return undefined
      const path = join(directory, epochOfClient)
      try {
        const [text, { mtimeMs }] = await Promise.all([readFile(path, "utf8"), stat(path)])
        return knownAt(text, number, mtimeMs)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
        throw error
      }
    },
    close() {
      if (isOpen) closeSync(file)
      isOpen = false
    },
  }
}

/** Returns what the lines of a file say about a position. Undefined if the file ended before it. */
function knownAt(text: string, number: number, mtimeMs: number): KnownRevisions | undefined {
  const revisions = new Map<SessionID, Revision>()
  let isWhole = true
  for (const line of text.split("\n")) {
    if (line === FULL.trim()) isWhole = false
    const [, at, id, revision] = /^(\d{1,15}) (ses_\w+) (\d{1,15})$/.exec(line) ?? []
    if (at === undefined || id === undefined || revision === undefined) continue
    const sessionID = id as SessionID
    if (Number(at) <= number) revisions.set(sessionID, Number(revision))
    // The client has not seen the session's first commit that this server reported.
    else if (!revisions.has(sessionID)) revisions.set(sessionID, Number(revision) - 1)
  }
  return isWhole ? { revisions, until: mtimeMs } : undefined
}

async function removeOld(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => /^[\da-f]{12}$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => ({ path: join(directory, name), time: (await stat(join(directory, name))).mtimeMs })),
  )
  const old = files.toSorted((a, b) => b.time - a.time).slice(MAX_FILES)
  await Promise.all(old.map(({ path }) => rm(path, { force: true })))
}
