import { parseLine, toLine } from "./checked-lines.ts"
import type { Revision } from "@pawl/core/storage"
import type { RecordKey } from "./journal.ts"
import { CHANGES, changesPath } from "./layout.ts"
import type { Store } from "./store.ts"

/** A compacted change log, written to a temporary file: each record is in it once. */
export interface CompactedLog {
  /** Appends the commits made meanwhile and replaces the log. Called under the session's lock. */
  place(): Promise<void>
  discard(): void
}

/** Time to work before the event loop runs other work. */
const SLICE_MS = 10

/**
 * Compacts a session's change log if it has doubled since the last time, or `always`. Reads without the lock. Returns
 * undefined if there is nothing to do.
 */
export async function compactedLog(store: Store, id: string, always = false): Promise<CompactedLog | undefined> {
  const { fs } = store
  const path = changesPath(id)
  const status = fs.status(path)
  if (!status || (!always && status.size < Math.max(store.shortestLog, 2 * sizeAtFirst(store, path)))) return undefined
  const bytes = fs.readRange(path, 0, status.size)
  const end = bytes.lastIndexOf(10) + 1
  const lines = await linesOnce(bytes.subarray(0, end))
  const size = lines.reduce((sum, line) => sum + line.length, 0)
  const temporary = store.temporaryPath()
  fs.write(temporary, Buffer.from(toLine([0, [], size]) + lines.join("")))
  if (store.isSync) await fs.sync(temporary)

  return {
    async place() {
      const now = fs.status(path)
      // The session was removed, or another process was faster.
      if (now?.inode !== status.inode || now.size < end) return void fs.remove(temporary)
      fs.append(temporary, fs.readRange(path, end, now.size - end))
      await fs.sync(temporary)
      fs.rename(temporary, path)
      await fs.sync(CHANGES)
    },
    discard: () => void fs.remove(temporary),
  }
}

/**
 * Returns the size of the log after its last compaction; 0 if it was never compacted. A compacted log begins with a
 * line of revision 0.
 */
function sizeAtFirst({ fs }: Store, path: string): number {
  const bytes = fs.readRange(path, 0, 128)
  const first = parseLine(bytes.subarray(0, Math.max(0, bytes.indexOf(10))))
  return Array.isArray(first) && first[0] === 0 && typeof first[2] === "number" ? first[2] : 0
}

/** Returns one line for each revision that was the last to write some record, and for the last revision. */
async function linesOnce(bytes: Buffer): Promise<string[]> {
  const last = new Map<string, { revision: Revision; key: RecordKey }>()
  const byRevision = new Map<Revision, RecordKey[]>()
  let latest: Revision = 0
  const pause = createPause()
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start)
    const line = parseLine(bytes.subarray(start, newline)) as readonly [Revision, readonly RecordKey[]] | undefined
    start = newline + 1
    await pause()
    if (!line || line[0] === 0) continue
    latest = line[0]
    for (const key of line[1]) {
      const name = JSON.stringify([key[0], key[1]])
      last.delete(name)
      last.set(name, { revision: line[0], key })
    }
  }
  for (const { revision, key } of last.values()) {
    const keys = byRevision.get(revision)
    if (keys) keys.push(key)
    else byRevision.set(revision, [key])
  }
  if (latest > 0 && !byRevision.has(latest)) byRevision.set(latest, [])
  const lines: string[] = []
  for (const line of byRevision) {
    lines.push(toLine(line))
    await pause()
  }
  return lines
}

function createPause(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < SLICE_MS) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        began = performance.now()
        resolve()
      })
    })
  }
}
