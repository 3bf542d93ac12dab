import { crc32 } from "node:zlib"

// Each line has one JSON value after its checksum: `8 hex digits, a space, the JSON`. A line that a crash cut off or
// that another program changed is invalid.

export function toLine(value: unknown): string {
  const json = JSON.stringify(value)
  return `${checksum(Buffer.from(json))} ${json}\n`
}

export interface CheckedLines {
  readonly values: readonly unknown[]
  /** Length in bytes of the valid lines at the beginning. */
  readonly end: number
}

/** Returns the lines before the first invalid one. */
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

/** Returns undefined for an invalid line. */
export function parseLine(line: Buffer): unknown {
  const json = line.subarray(9)
  if (line.length < 10 || line.toString("latin1", 0, 9) !== `${checksum(json)} `) return undefined
  return JSON.parse(json.toString())
}

function checksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, "0")
}
