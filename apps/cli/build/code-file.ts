import { crc32 } from "node:zlib"

/** What was compiled of a program's chunks. */
export interface CompiledCode {
  /** How many runs have added to it. */
  readonly runs: number
  /** By the names of the chunks. */
  readonly chunks: ReadonlyMap<string, Buffer>
}

interface Index {
  readonly runs: number
  /** Names, lengths in bytes and checksums, in the order in which they follow. */
  readonly chunks: readonly (readonly [name: string, length: number, checksum: number])[]
}

/** V8 copies code that does not begin at a whole word. */
const WORD = 8
const HEADER = 8

/** In bytes: checksum of the index (4), its length (4), the index as JSON, the code of each chunk; each padded to 8. */
export function encodeCode({ runs, chunks }: CompiledCode): Buffer {
  const index: Index = { runs, chunks: [...chunks].map(([name, code]) => [name, code.length, crc32(code)]) }
  const text = padded(Buffer.from(JSON.stringify(index)), " ")
  const header = Buffer.alloc(HEADER)
  header.writeUInt32LE(crc32(text), 0)
  header.writeUInt32LE(text.length, 4)
  return Buffer.concat([header, text, ...[...chunks.values()].map((code) => padded(code, "\0"))])
}

/** What a file holds. The code of a chunk is compared with its checksum when it is asked for: few are needed of many. */
export interface WrittenCode {
  readonly runs: number
  readonly names: readonly string[]
  /** Undefined for a chunk that is not in it, and for one that is damaged. */
  readonly code: (name: string) => Buffer | undefined
}

/** Undefined for what `encodeCode` has not made, or does not hold its index any more. */
export function decodeCode(file: Buffer): WrittenCode | undefined {
  if (file.length < HEADER) return undefined
  const begin = HEADER + file.readUInt32LE(4)
  const text = file.subarray(HEADER, begin)
  if (file.length < begin || file.readUInt32LE(0) !== crc32(text)) return undefined
  const { runs, chunks } = JSON.parse(text.toString()) as Index
  const places = new Map<string, { readonly code: Buffer; readonly checksum: number }>()
  let at = begin
  for (const [name, length, checksum] of chunks) {
    places.set(name, { code: file.subarray(at, at + length), checksum })
    at += wholeWords(length)
  }
  return {
    runs,
    names: [...places.keys()],
    code(name) {
      const place = places.get(name)
      return place && crc32(place.code) === place.checksum ? place.code : undefined
    },
  }
}

function padded(bytes: Buffer, filler: string): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(wholeWords(bytes.length) - bytes.length, filler)])
}

function wholeWords(length: number): number {
  return Math.ceil(length / WORD) * WORD
}
