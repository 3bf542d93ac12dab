const HEADER = 12
/** Bytes of an entry before its flags: times, numbers, mode and hash. */
const FIXED = 60
const MODE = 24
const GITLINK = 0o160000
const EXTENDED = 0x4000
/** Bytes of the hash at the end. */
const HASH = 20

/** The paths of the repositories within a repository, by its index. Throws for a form of the index that is not known. */
export function gitlinks(index: Buffer): string[] {
  const version = index.readUInt32BE(4)
  if (index.toString("latin1", 0, 4) !== "DIRC" || (version !== 2 && version !== 3)) throw new Error("Unknown index.")
  const found: string[] = []
  let at = HEADER
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const flags = index.readUInt16BE(at + FIXED)
    const start = at + FIXED + ((flags & EXTENDED) === 0 ? 2 : 4)
    const end = index.indexOf(0, start)
    if (end < 0) throw new Error("The index is cut.")
    if (index.readUInt32BE(at + MODE) === GITLINK) found.push(index.toString("utf8", start, end))
    at += Math.ceil((end - at + 1) / 8) * 8
  }
  while (at + HASH < index.length) {
    // The rest of a split index stands in another file.
    if (index.toString("latin1", at, at + 4) === "link") throw new Error("The index is split.")
    at += 8 + index.readUInt32BE(at + 4)
  }
  return found
}
