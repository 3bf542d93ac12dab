// Enough for the longest line that is asked for, at four bytes per character.
const MAX_RECORD = 256 * 1024

/**
 * Splits a stream into records. A record ends when all characters of `separator` have occurred in order; all but the
 * last one belong to the record. Keeps only the first `max` bytes of a record.
 */
export function recordSplitter(separator: string, max = MAX_RECORD): (chunk: Buffer) => string[] {
  let met = 0
  let parts: Buffer[] = []
  let keptBytes = 0

  function keep(part: Buffer): void {
    if (keptBytes >= max) return
    parts.push(part.subarray(0, max - keptBytes))
    keptBytes += part.length
  }
  return (chunk) => {
    const records: string[] = []
    let start = 0
    for (let at = find(chunk, start); at !== -1; at = find(chunk, start)) {
      met++
      const isEnd = met === separator.length
      keep(chunk.subarray(start, isEnd ? at : at + 1))
      start = at + 1
      if (!isEnd) continue
      records.push(Buffer.concat(parts).toString("utf8"))
      parts = []
      keptBytes = 0
      met = 0
    }
    if (start < chunk.length) keep(chunk.subarray(start))
    return records
  }

  function find(chunk: Buffer, from: number): number {
    return chunk.indexOf(separator.charCodeAt(met), from)
  }
}
