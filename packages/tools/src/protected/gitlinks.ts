const HEADER = 12
/** Bytes of an entry before its flags: times, numbers, mode and hash. */
const FIXED = 60
const MODE = 24
const MTIME = 8
const SIZE = 36
const GITLINK = 0o160000
const EXTENDED = 0x4000
/** Bytes of the hash at the end. */
const HASH = 20

/** Returns the paths of submodules in an index. Throws if the index format is unknown. */
export function gitlinks(index: Buffer): string[] {
  return indexEntries(index).flatMap(({ mode, path }) => (mode === GITLINK ? [path] : []))
}

/** A tracked file. */
export interface IndexEntry {
  readonly path: string
  readonly mode: number
  /** Modification time when git last compared the file with the index. */
  readonly mtimeMs: number
  /** The lower 32 bits of the size. */
  readonly size: number
}

/** Returns the entries of an index. Throws if the index format is unknown. */
export function indexEntries(index: Buffer): IndexEntry[] {
  const version = index.readUInt32BE(4)
  if (index.toString("latin1", 0, 4) !== "DIRC" || (version !== 2 && version !== 3)) throw new Error("Unknown index.")
  const entries: IndexEntry[] = []
  let at = HEADER
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const flags = index.readUInt16BE(at + FIXED)
    const start = at + FIXED + ((flags & EXTENDED) === 0 ? 2 : 4)
    const end = index.indexOf(0, start)
    if (end < 0) throw new Error("The index is cut.")
    entries.push({
      path: index.toString("utf8", start, end),
      mode: index.readUInt32BE(at + MODE),
      mtimeMs: index.readUInt32BE(at + MTIME) * 1000 + Math.floor(index.readUInt32BE(at + MTIME + 4) / 1e6),
      size: index.readUInt32BE(at + SIZE),
    })
    at += Math.ceil((end - at + 1) / 8) * 8
  }
  while (at + HASH < index.length) {
    // A split index keeps the rest in another file.
    if (index.toString("latin1", at, at + 4) === "link") throw new Error("The index is split.")
    at += 8 + index.readUInt32BE(at + 4)
  }
  return entries
}
