import { MAX_MEMBERS, type Member } from "./member.ts"

const END = 0x06_05_4b_50
const ENTRY = 0x02_01_4b_50
/** Length of the end record without its comment, and maximum length of the comment. */
const END_LENGTH = 22
const MAX_COMMENT = 0xff_ff
const SYMBOLIC_LINK = 0o12
const UNIX = 3
/** Id of the extra field with another name for the member. */
const UNICODE_PATH = 0x70_75

/** Returns the members of a zip archive from its central directory. Undefined if they cannot be determined reliably. */
export function zipMembers(archive: Buffer): readonly Member[] | undefined {
  try {
    return membersOf(archive)
  } catch {
    // The archive is truncated.
    return undefined
  }
}

function membersOf(archive: Buffer): Member[] | undefined {
  const end = endOf(archive)
  if (end === undefined) return undefined
  const count = archive.readUInt16LE(end + 10)
  const length = archive.readUInt32LE(end + 12)
  let at = archive.readUInt32LE(end + 16)
  // The archive has data before it, or is in the zip64 format.
  if (count === 0xff_ff || count > MAX_MEMBERS || at + length !== end) return undefined
  const members: Member[] = []
  for (let index = 0; index < count; index++) {
    if (archive.readUInt32LE(at) !== ENTRY) return undefined
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset))
    if (nameLength === undefined || extraLength === undefined || commentLength === undefined) return undefined
    const name = archive.subarray(at + 46, at + 46 + nameLength)
    if (hasOtherName(archive.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength))) return undefined
    const kind = archive.readUInt8(at + 5) === UNIX ? archive.readUInt32LE(at + 38) >>> 28 : 0
    const path = name.toString("utf8").replaceAll("\\", "/")
    members.push({ path, ...(kind === SYMBOLIC_LINK ? { isLink: true } : {}) })
    at += 46 + nameLength + extraLength + commentLength
  }
  return at === end ? members : undefined
}

function endOf(archive: Buffer): number | undefined {
  const last = archive.length - END_LENGTH
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at--) {
    if (archive.readUInt32LE(at) === END)
      return at + END_LENGTH + archive.readUInt16LE(at + 20) === archive.length ? at : undefined
  }
  return undefined
}

function hasOtherName(extra: Buffer): boolean {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === UNICODE_PATH) return true
  }
  return false
}
