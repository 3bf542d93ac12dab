import { promisify } from "node:util"
import * as zlib from "node:zlib"
import { MAX_MEMBERS, type Member } from "./member.ts"

const BLOCK = 512
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024

/**
 * Returns the members of a tar archive, which may be compressed by gzip or zstd. Undefined if its members cannot be
 * determined reliably.
 */
export async function tarMembers(content: Buffer): Promise<readonly Member[] | undefined> {
  const plain = await decompressed(content)
  return plain && membersOf(plain)
}

async function decompressed(content: Buffer): Promise<Buffer | undefined> {
  const options = { maxOutputLength: MAX_UNPACKED_BYTES }
  try {
    if (content.readUInt16BE(0) === 0x1f_8b) return await promisify(zlib.gunzip)(content, options)
    if (content.readUInt32LE(0) === 0xfd_2f_b5_28) return await promisify(zlib.zstdDecompress)(content, options)
  } catch {
    return undefined
  }
  return content
}

/** Fields that an extended header sets for the next member. */
interface Override {
  path?: string
}

function membersOf(archive: Buffer): Member[] | undefined {
  const members: Member[] = []
  let override: Override = {}
  let isEmpty = true
  for (let at = 0; at + BLOCK <= archive.length;) {
    const header = archive.subarray(at, at + BLOCK)
    at += BLOCK
    // Zero blocks mark the end, but with some options tar continues after them.
    if (header.every((byte) => byte === 0)) continue
    const size = numberOf(header.subarray(124, 136))
    if (!hasChecksum(header) || size === undefined || members.length >= MAX_MEMBERS) return undefined
    isEmpty = false
    const body = archive.subarray(at, at + size)
    at += Math.ceil(size / BLOCK) * BLOCK
    const type = String.fromCodePoint(header[156] ?? 0)
    if (type === "L") override = { ...override, path: textOf(body) }
    else if (type === "x") {
      const path = paxPath(body)
      if (path === undefined) return undefined
      override = { ...override, ...path }
    } else if (type === "K" || type === "V") continue
    // Hard links can refer to any file, and other types change the names of later members.
    else if (!/^[0257\0]$/.test(type)) return undefined
    else {
      members.push({ path: override.path ?? nameOf(header), ...(type === "2" ? { isLink: true } : {}) })
      override = {}
    }
  }
  return isEmpty ? undefined : members
}

function nameOf(header: Buffer): string {
  const name = textOf(header.subarray(0, 100))
  const prefix = header.toString("latin1", 257, 263) === "ustar\0" ? textOf(header.subarray(345, 500)) : ""
  return prefix === "" ? name : `${prefix}/${name}`
}

/** Returns the text before the first zero byte. */
function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString("utf8", 0, end < 0 ? bytes.length : end)
}

/** Returns undefined for records that change names in another way. */
function paxPath(body: Buffer): Override | undefined {
  const found: Override = {}
  for (let at = 0; at < body.length && body[at] !== 0;) {
    const [head, length] = /^(\d{1,7}) /.exec(body.toString("latin1", at, at + 9)) ?? []
    const end = at + Number(length)
    if (head === undefined || end <= at || end > body.length) return undefined
    const record = body.toString("utf8", at + head.length, end - 1)
    if (record.startsWith("path=")) found.path = record.slice("path=".length)
    if (/^GNU\.sparse|^hdrcharset/.test(record)) return undefined
    at = end
  }
  return found
}

/** Parses an octal number, or a binary one if the first bit is set. */
function numberOf(field: Buffer): number | undefined {
  if (((field[0] ?? 0) & 0x80) !== 0) {
    const value = field.subarray(4).reduce((sum, byte) => sum * 256 + byte, 0)
    return Number.isSafeInteger(value) ? value : undefined
  }
  const text = textOf(field).trim()
  return /^[0-7]*$/.test(text) ? Number.parseInt(text || "0", 8) : undefined
}

function hasChecksum(header: Buffer): boolean {
  const wanted = numberOf(header.subarray(148, 156))
  const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  return wanted === sum
}
