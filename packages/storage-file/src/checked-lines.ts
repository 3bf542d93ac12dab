import { crc32 } from "node:zlib"

// One JSON value a line, behind its checksum: `8 hex digits, a space, the JSON`. A line that was torn by a crash, or that
// something else has written to, is not one.

export function toLine(value: unknown): string {
  const json = JSON.stringify(value)
  return `${checksum(Buffer.from(json))} ${json}\n`
}

export interface CheckedLines {
  readonly values: readonly unknown[]
  /** How many bytes the good lines from the start on take. */
  readonly end: number
}

/** The good lines from the start on, up to the first that is not. */
export function readLines(bytes: Buffer): CheckedLines {
  const values: unknown[] = []
  let end = 0
  for (let newline = bytes.indexOf(10); newline >= 0; newline = bytes.indexOf(10, end)) {
    const value = parseLine(bytes.subarray(end, newline))
    if (value === undefined) break
    values.push(value)
    end = newline + 1
  }
  return { values, end }
}

/** Undefined for what is not a good line. */
export function parseLine(line: Buffer): unknown {
  const json = line.subarray(9)
  if (line.length < 10 || line.toString("latin1", 0, 9) !== `${checksum(json)} `) return undefined
  return JSON.parse(json.toString())
}

function checksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, "0")
}
