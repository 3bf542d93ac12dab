import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Revision, SessionID } from "@pawl/core/storage"

/** The part of the storage that a client knows which has seen the events up to a position. */
export interface KnownRevisions {
  /** The last commit of each session that the client has seen. */
  readonly revisions: ReadonlyMap<SessionID, Revision>
  /** Records of a later commit that the client has seen, because it was cut within the commit. */
  readonly torn: ReadonlyMap<SessionID, TornCommit>
  /** When the server of the position last saw a commit, in epoch milliseconds. Later commits are not in `revisions`. */
  readonly until: number
}

export interface TornCommit {
  readonly revision: Revision
  /** Ids of messages and parts. */
  readonly records: ReadonlySet<string>
}

/** An event of a commit: its number, and the id of the record that it reports. */
export type ReportedRecord = readonly [number: number, id: string]

/** Records which commits each position of the event log includes, in a file that outlives the server. */
export interface Positions {
  /** The last commit of each session that earlier servers have reported, the last reported session last. */
  readonly earlier: ReadonlyMap<SessionID, Revision>
  /** When an earlier server last saw a commit, in epoch milliseconds. 0: there was none */
  readonly earlierUntil: number
  /**
   * Records that the events up to this number include the session's commits up to this revision. `records`: the events of
   * the last of these commits. Revision 0: the session was removed.
   */
  record(number: number, sessionID: SessionID, revision: Revision, records?: readonly ReportedRecord[]): void
  /**
   * Records the events of a commit that was reported before earlier ones of the session, such as those of another process.
   * `record` includes it later.
   */
  recordAhead(number: number, sessionID: SessionID, revision: Revision, records: readonly ReportedRecord[]): void
  /** Returns undefined for an unknown position. Positions of the last few servers are known. */
  at(epoch: string, number: number): Promise<KnownRevisions | undefined>
  close(): void
}

/** Number of files of earlier servers that are kept. */
const MAX_FILES = 32
/** A position that was recorded after a file is full is unknown to later servers. */
const MAX_FILE_BYTES = 32 * 1024 * 1024
/** Number of sessions that a file begins with. */
const MAX_EARLIER = 20_000
const EPOCH = /^[\da-f]{12}$/
/** Marks the end of a full file. */
const FULL = "full\n"

/** Opens the record in a directory, which is created. Throws if the directory cannot be read and written. */
export function openPositions(directory: string, epoch: string, maxBytes = MAX_FILE_BYTES): Positions {
  try {
    return open(directory, epoch, maxBytes)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `The server cannot keep the positions of its clients in ${directory}: ${why}. Make it a directory that your user can read and write, or remove it.`,
      { cause },
    )
  }
}

function open(directory: string, epoch: string, maxBytes: number): Positions {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const files = newestFirst(directory)
  const earlier = lastKnown(files[0]?.path)
  const file = openSync(join(directory, epoch), "ax", 0o600)
  // Each file holds what the ones before it hold, so that one is enough.
  const lines = [...earlier].slice(-MAX_EARLIER).map(([sessionID, revision]) => `0 ${sessionID} ${revision}\n`)
  let bytes = writeSync(file, lines.join(""))
  let isOpen = true
  for (const { path } of files.slice(MAX_FILES - 1)) rmSync(path, { force: true })

  function write(...words: readonly (string | number)[]): void {
    if (!isOpen || bytes > maxBytes) return
    const line = `${words.join(" ")}\n`
    bytes += line.length
    // In one write, which survives the death of the process. Not synced: after a power cut, more events are repeated.
    try {
      writeSync(file, bytes > maxBytes ? FULL : line)
    } catch {
      // Positions from here on are unknown to later servers, as after a full file.
      bytes = Infinity
    }
  }
  const listed = (records: readonly ReportedRecord[]) => records.map(([at, id]) => `${at}=${id}`).join(",")

  return {
    earlier,
    earlierUntil: files[0]?.time ?? 0,
    record(number, sessionID, revision, records = []) {
      write(number, sessionID, revision, ...(records.length > 1 ? [listed(records)] : []))
    },
    recordAhead: (number, sessionID, revision, records) => write(number, sessionID, `+${revision}`, listed(records)),
    async at(epochOfClient, number) {
      if (!EPOCH.test(epochOfClient)) return undefined
      const path = join(directory, epochOfClient)
      try {
        const [text, { mtimeMs }] = await Promise.all([readFile(path, "utf8"), stat(path)])
        return text.endsWith(FULL) ? undefined : { ...knownAt(text, number), until: mtimeMs }
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

/** Returns what a client at a position has seen. */
function knownAt(text: string, number: number): Omit<KnownRevisions, "until"> {
  const revisions = new Map<SessionID, Revision>()
  const torn = new Map<SessionID, TornCommit>()
  for (const line of text.split("\n")) {
    const [, at, id, ahead, digits, list = ""] =
      /^(\d{1,15}) (ses_\w+) (\+?)(\d{1,15})(?: ([\w=,]+))?$/.exec(line) ?? []
    if (at === undefined || id === undefined) continue
    const sessionID = id as SessionID
    const revision = Number(digits)
    if (ahead !== "") {
      const before = torn.get(sessionID)
      const records = seenRecords(list, number, before?.records)
      // Not even the first event of the commit.
      if (records === undefined) continue
      torn.set(sessionID, { revision: Math.max(revision, before?.revision ?? 0), records })
      continue
    }
    if (revision === 0) {
      if (Number(at) <= number) revisions.delete(sessionID)
      continue
    }
    if (Number(at) <= number) {
      // The session that was reported last comes last.
      revisions.delete(sessionID)
      revisions.set(sessionID, revision)
      if ((torn.get(sessionID)?.revision ?? 0) <= revision) torn.delete(sessionID)
      continue
    }
    // The client has not seen the session's first commit that this server reported.
    if (!revisions.has(sessionID)) revisions.set(sessionID, revision - 1)
    const records = seenRecords(list, number)
    if (records && records.size > 0) torn.set(sessionID, { revision, records })
  }
  return { revisions, torn }
}

/** Returns the records whose newest event of the list a client has seen; undefined if it has seen no event of the list. */
function seenRecords(list: string, number: number, before: ReadonlySet<string> = new Set()): Set<string> | undefined {
  const events = [...list.matchAll(/(\d+)=(\w+)/g)].map(([, each, record = ""]) => [Number(each), record] as const)
  if (!events.some(([each]) => each <= number)) return undefined
  const records = new Set(before)
  // A commit may write a record twice.
  for (const [each, record] of events) {
    if (each <= number) records.add(record)
    else records.delete(record)
  }
  return records
}

/** Returns the files of earlier servers. */
function newestFirst(directory: string) {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && EPOCH.test(entry.name))
    .map(({ name }) => ({ path: join(directory, name), time: statSync(join(directory, name)).mtimeMs }))
    .toSorted((a, b) => b.time - a.time)
}

function lastKnown(path: string | undefined): ReadonlyMap<SessionID, Revision> {
  return path === undefined ? new Map() : knownAt(readFileSync(path, "utf8"), Infinity).revisions
}
