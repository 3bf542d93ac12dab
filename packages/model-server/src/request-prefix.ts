/**
 * The first difference between two request bodies. Excerpts show the bytes around `offset`, which counts bytes from 0.
 */
export interface PrefixDifference {
  readonly offset: number
  readonly older: string
  readonly newer: string
}

/**
 * Checks that a provider can reuse its cache of the older request for the newer one: the older body must be a byte
 * prefix of the newer one. Ignores only the closing bytes `]}` of the older body, and only if `messages` is its last
 * key. Returns `undefined` if there is no difference.
 */
export function requestPrefix(
  rawOlder: string | Uint8Array,
  rawNewer: string | Uint8Array,
): PrefixDifference | undefined {
  const older = toBuffer(rawOlder)
  const newer = toBuffer(rawNewer)
  const prefix = endsWithMessages(older) ? older.subarray(0, -closing.length) : older
  const offset = firstDifference(prefix, newer)
  if (offset === undefined) return undefined
  return { offset, older: excerpt(older, offset), newer: excerpt(newer, offset) }
}

const closing = "]}"
const excerptBytes = 60

function toBuffer(raw: string | Uint8Array): Buffer {
  return typeof raw === "string" ? Buffer.from(raw) : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
}

function endsWithMessages(body: Buffer): boolean {
  const text = body.toString()
  if (!text.endsWith(closing)) return false
  try {
    return Object.keys(JSON.parse(text) as object).at(-1) === "messages"
  } catch {
    return false
  }
}

function firstDifference(prefix: Buffer, whole: Buffer): number | undefined {
  if (prefix.equals(whole.subarray(0, prefix.length))) return undefined
  const offset = prefix.findIndex((byte, index) => byte !== whole[index])
  return offset
}

function excerpt(body: Buffer, offset: number): string {
  return body.subarray(Math.max(0, offset - excerptBytes), offset + excerptBytes).toString()
}
