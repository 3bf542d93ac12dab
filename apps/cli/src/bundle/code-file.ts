import { crc32 } from "node:zlib"

/** What was compiled of a program's chunks. */
export interface CompiledCode {
  /** By the names of the chunks. */
  readonly chunks: ReadonlyMap<string, Buffer>
  /** How many runs have added to it. */
  readonly runs: number
}

interface Index {
  readonly runs: number
  /** Names and lengths in bytes, in the order in which they follow. */
  readonly chunks: readonly (readonly [string, number])[]
}

/** V8 copies code that does not begin at a whole word. */
const WORD = 8
const HEADER = 8

/** In bytes: checksum of all that follows (4), length of the index (4), index as JSON, code of each chunk; each padded to 8. */
export function encodeCode({ chunks, runs }: CompiledCode): Buffer {
  const index: Index = { runs, chunks: [...chunks].map(([name, code]) => [name, code.length]) }
  const head = padded(Buffer.from(JSON.stringify(index)), " ")
  const file = Buffer.concat([Buffer.alloc(HEADER), head, ...[...chunks.values()].map((code) => padded(code, "\0"))])
  file.writeUInt32LE(head.length, 4)
  file.writeUInt32LE(crc32(file.subarray(4)), 0)
  return file
}

/** Undefined for what `encodeCode` has not made, such as a file that was cut. */
export function decodeCode(file: Buffer): CompiledCode | undefined {
  if (file.length < HEADER || file.readUInt32LE(0) !== crc32(file.subarray(4))) return undefined
  const end = HEADER + file.readUInt32LE(4)
  const { runs, chunks } = JSON.parse(file.toString("utf8", HEADER, end)) as Index
  let at = end
  const code = chunks.map(([name, length]) => {
    const from = at
    at += wholeWords(length)
    return [name, file.subarray(from, from + length)] as const
  })
  return { runs, chunks: new Map(code) }
}

function padded(bytes: Buffer, with_: string): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(wholeWords(bytes.length) - bytes.length, with_)])
}

function wholeWords(length: number): number {
  return Math.ceil(length / WORD) * WORD
}
