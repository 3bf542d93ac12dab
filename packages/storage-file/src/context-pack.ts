import type { Message, MessageWithParts, Part } from "@pawl/core/storage"
import { makeParents } from "./make-parents.ts"
import { parseLine, toLine } from "./checked-lines.ts"
import type { FileStatus } from "./file-system.ts"
import { messagePath, packPath } from "./layout.ts"
import { partsOf } from "./record-directory.ts"
import { toName } from "./record-name.ts"
import type { Store } from "./store.ts"

// A copy of the messages of a long context in one file, because thousands of small files take long to read. The files stay
// the record: a packed message counts only while its file, the directory of its parts and each part's file have the inode,
// size and times that they had. So what is changed by hand is read from its file. The pack may be deleted at any time.

/** [inode, size, changed, touched] */
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
  /** Lines that were of no use: of changed, removed or earlier messages. */
  readonly unused: number
}

/** Shorter contexts are read from their files alone. */
const MIN_MESSAGES = 256
/** Rewriting the pack pays off from this number of new or removed messages. */
const MIN_CHANGES = 256
const MAX_BYTES = 256 * 1024 * 1024
const CHUNK_BYTES = 1024 * 1024
/** A file that changed less than this many milliseconds ago may change again without a new time. */
const SETTLED_MS = 100

const NOTHING: ContextPack = { messages: new Map(), unused: 0 }

/** The packed messages among `ids` that are as their files are. */
export function readPack(store: Store, sessionID: string, ids: ReadonlySet<string>): ContextPack {
  if (ids.size < MIN_MESSAGES) return NOTHING
  const messages = new Map<string, MessageWithParts>()
  let unused = 0
  for (const line of linesOf(store, packPath(sessionID))) {
    const packed = parseLine(line) as PackedMessage | undefined
    // Torn, or written by something else: what follows is not trusted either.
    if (!packed) break
    const { info, parts } = packed
    if (ids.has(info.id) && isCurrent(store, sessionID, packed)) messages.set(info.id, { info, parts })
    else unused++
  }
  return { messages, unused }
}

export interface ReadMessages {
  /** The messages found in the pack. */
  readonly pack: ContextPack
  /** When the other messages began to be read, in epoch milliseconds. A file that changed later is not packed. */
  readonly began: number
  /** Ids of messages with files that could not be read. They are read each time, so that this is reported. */
  readonly damaged: ReadonlySet<string>
}

/** Rewrites the pack if that makes the next reading faster. Never throws: the pack only saves time. */
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

/** Undefined if one of the files has changed since it was read. */
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
  // A file that is shown from memory has a number that no disk gives, and other processes have other such files.
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

/** The lines of a file, of which a piece at a time is in memory. */
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
    // It spares space and no more.
  }
}
