import { createHash } from "node:crypto"

// The name of a record's file is its id, for ids that pawl creates. Parts that file systems treat differently are
// escaped:
//   %0020     a UTF-16 unit other than A-Z a-z 0-9 _ and -
//   ~1k       a suffix that lists the capital letters, for ids that could collide if case is ignored
//   ~~<hash>  a suffix of a truncated id that is too long; the record has the complete id
// Names can be decoded, except truncated ones, and the names of two ids never differ in case alone.

const MAX_LENGTH = 200
const RECORD = /^(?:ses|msg|prt)_/
const PLAIN_RECORD = /^(?:ses|msg|prt)_[0-9A-Z_-]{1,190}$/
const PLAIN_FILE = /^(?:ses|msg|prt)_[0-9A-Z]{1,190}\.json$/
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** Returns the name of the file or directory of a session, message, part or project, without an extension. */
export function toName(id: string): string {
  if (PLAIN_RECORD.test(id)) return id
  if (id === "") return "%"
  const escaped = id.replaceAll(/[^\w-]/g, escape)
  const safe = RESERVED.test(id) ? escape(id.slice(0, 1)) + escaped.slice(1) : escaped
  const name = hasPlainCase(id) ? safe : `${safe}~${capitals(id)}`
  if (name.length <= MAX_LENGTH) return name
  return `${safe.slice(0, 100)}~~${createHash("sha256").update(id, "utf16le").digest("hex")}`
}

/** Returns the id for a name; undefined if the name is invalid or truncated. */
export function fromName(name: string): string | undefined {
  if (PLAIN_RECORD.test(name)) return name
  if (name === "%") return ""
  const body = /^([\w%-]+)(?:~[0-9a-z]+)?$/.exec(name)?.[1]
  const id = body?.replaceAll(/%([0-9A-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return id !== undefined && toName(id) === name ? id : undefined
}

/** Returns true for an unescaped id with `.json`. Such names sort like their ids. */
export function isPlainName(name: string): boolean {
  return PLAIN_FILE.test(name)
}

/** Returns true for the truncated name of a long id. */
export function isShortenedName(name: string): boolean {
  return /^[\w%-]{100}~~[0-9a-f]{64}$/.test(name)
}

function escape(unit: string): string {
  return `%${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`
}

/**
 * Returns true if the id needs no case suffix: in ids of records only what follows the prefix has capitals, and ids of
 * projects have none.
 */
function hasPlainCase(id: string): boolean {
  return RECORD.test(id) ? !/[a-z]/.test(id.slice(4)) : !/[A-Z]/.test(id)
}

function capitals(id: string): string {
  const bits = id
    .replaceAll(/[^A-Za-z]/g, "")
    .replaceAll(/[a-z]/g, "0")
    .replaceAll(/[A-Z]/g, "1")
  return BigInt(`0b${bits}`).toString(36)
}
