import type { Message, MessageWithParts, Part } from "@pawl/core/storage"
import { makeParents } from "./make-parents.ts"
import { parseLine, toLine } from "./checked-lines.ts"
import type { FileStatus } from "./file-system.ts"
import { messagePath, packPath } from "./layout.ts"
import { partsOf } from "./record-directory.ts"
import { toName } from "./record-name.ts"
import type { Store } from "./store.ts"

// Caches the messages of a long context in one file, because thousands of small files take long to read. The files
// remain the record: a packed message is valid only while its file, the directory of its parts and each part's file
// have the same inode, size and times. Messages changed by other programs are therefore read from their files. The pack
// can be deleted at any time.

/** [inode, size, mtime, ctime] */
type Stamp = readonly [number, number, number, number]

/** A line of the pack. */
interface PackedMessage {
  readonly info: Message
  readonly stamp: Stamp
  /** The directory of parts; null if it is missing. */
  readonly directory: Stamp | null
  readonly parts: readonly Part[]
  readonly stamps: readonly Stamp[]
}

export interface ContextPack {
  /** By message id. */
  readonly messages: ReadonlyMap<string, MessageWithParts>
  /** Number of lines that were not used: of changed, removed or earlier messages. */
  readonly unused: number
}

/** Minimum number of messages. Shorter contexts are read from their files alone. */
const MIN_MESSAGES = 256
/** Minimum number of new or removed messages for which the pack is rewritten. */
const MIN_CHANGES = 256
const MAX_BYTES = 256 * 1024 * 1024
const CHUNK_BYTES = 1024 * 1024
/** A file that changed more recently than this may change again without a new time. */
const SETTLED_MS = 100

const NOTHING: ContextPack = { messages: new Map(), unused: 0 }

/** Returns the messages among `ids` whose files have not changed since they were packed. */
export function readPack(store: Store, sessionID: string, ids: ReadonlySet<string>): ContextPack {
  if (ids.size < MIN_MESSAGES) return NOTHING
  const messages = new Map<string, MessageWithParts>()
  let unused = 0
  for (const line of linesOf(store, packPath(sessionID))) {
    const packed = parseLine(line) as PackedMessage | undefined
    // The line is damaged, so the following ones are not trusted either.
    if (!packed) break
    const { info, parts } = packed
    if (ids.has(info.id) && isCurrent(store, sessionID, packed)) messages.set(info.id, { info, parts })
    else unused++
  }
  return { messages, unused }
}

export interface ReadMessages {
  /** The messages that the pack provided. */
  readonly pack: ContextPack
  /** When the read of the other messages began, in epoch milliseconds. A file that changed later is not packed. */
  readonly began: number
  /**
   * Ids of messages with unreadable files. These files are read each time, so that the problem is reported each time.
   */
  readonly damaged: ReadonlySet<string>
}

/** Rewrites the pack if that makes the next read faster. Never throws, since the pack is only a cache. */
export function savePack(
  store: Store,
  sessionID: string,
  messages: readonly MessageWithParts[],
  { pack, began, damaged }: ReadMessages,
): void {
  const isLong = messages.length >= MIN_MESSAGES
  const isChanged = messages.length - pack.messages.size >= MIN_CHANGES || pack.unused >= MIN_CHANGES + messages.length
  if (!isLong || !isChanged) return
  const temporary = store.temporaryPath()
  try {
    makeParents(store.fs, packPath(sessionID))
    const whole = messages.filter(({ info }) => !damaged.has(info.id))
    if (writePack(store, sessionID, whole, { temporary, began })) store.fs.rename(temporary, packPath(sessionID))
  } catch {
    attempt(() => store.fs.remove(temporary))
  }
}

function writePack(
  store: Store,
  sessionID: string,
  messages: readonly MessageWithParts[],
  { temporary, began }: { readonly temporary: string; readonly began: number },
): boolean {
  let chunk = ""
  let bytes = 0
  const flush = () => {
    bytes += chunk.length
    store.fs.append(temporary, Buffer.from(chunk))
    chunk = ""
  }
  for (const message of messages) {
    const packed = toPacked(store, sessionID, message, began - SETTLED_MS)
    if (packed) chunk += toLine(packed)
    if (chunk.length > CHUNK_BYTES) flush()
    if (bytes <= MAX_BYTES) continue
    store.fs.remove(temporary)
    return false
  }
  flush()
  return true
}

/** Returns undefined if one of the files has changed since it was read. */
function toPacked(
  store: Store,
  sessionID: string,
  { info, parts }: MessageWithParts,
  before: number,
): PackedMessage | undefined {
  const place = partsOf(store, sessionID, info.id)
  const stamp = settledStamp(store.fs.status(messagePath(sessionID, info.id)), before)
  const status = store.fs.status(place)
  const directory = settledStamp(status, before)
  if (!stamp || (status && !directory)) return undefined
  const stamps: Stamp[] = []
  for (const part of parts) {
    const partStamp = settledStamp(store.fs.status(partPath(place, part.id)), before)
    if (!partStamp) return undefined
    stamps.push(partStamp)
  }
  return { info, stamp, directory: directory ?? null, parts, stamps }
}

function isCurrent(store: Store, sessionID: string, { info, stamp, directory, parts, stamps }: PackedMessage): boolean {
  if (!isSameStamp(stamp, store.fs.status(messagePath(sessionID, info.id)))) return false
  const place = partsOf(store, sessionID, info.id)
  if (!isSameStamp(directory, store.fs.status(place))) return false
  return parts.every((part, index) => isSameStamp(stamps[index] ?? null, store.fs.status(partPath(place, part.id))))
}

function settledStamp(status: FileStatus | undefined, before: number): Stamp | undefined {
  // A recovered file that exists only in memory has a negative inode, and other processes do not have it.
  if (!status || status.inode < 0 || status.changed > before || status.touched > before) return undefined
  return [status.inode, status.size, status.changed, status.touched]
}

function isSameStamp(stamp: Stamp | null, status: FileStatus | undefined): boolean {
  if (!stamp || !status) return !stamp && !status
  const [inode, size, changed, touched] = stamp
  return inode === status.inode && size === status.size && changed === status.changed && touched === status.touched
}

function partPath(place: string, partID: string): string {
  return `${place}/${toName(partID)}.json`
}

/** Yields the lines of a file. Reads it piece by piece. */
function* linesOf({ fs }: Store, path: string): Generator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for (let position = 0; ;) {
    const chunk = fs.readRange(path, position, CHUNK_BYTES)
    if (chunk.length === 0) return
    position += chunk.length
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      yield bytes.subarray(start, end)
      start = end + 1
    }
    rest = bytes.subarray(start)
  }
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // The pack is only a cache, so a failure is ignored.
  }
}
