/** Maximum number of characters of a message. A server that exceeds it is disconnected. */
export const MAX_MESSAGE_LENGTH = 128 * 1024 * 1024

/** Splits a stream into lines. Takes time proportional to the input, however it is split into chunks. */
export function createMessageLines(onLine: (line: string) => void): (chunk: Buffer) => void {
  let pieces: Buffer[] = []
  let length = 0
  return (chunk) => {
    let rest = chunk
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = pieces.length === 0 ? rest.subarray(0, end) : Buffer.concat([...pieces, rest.subarray(0, end)])
      pieces = []
      length = 0
      rest = rest.subarray(end + 1)
      onLine(line.toString().trimEnd())
    }
    if (rest.length === 0) return
    pieces.push(rest)
    length += rest.length
    if (length > MAX_MESSAGE_LENGTH) throw new RangeError(`A message is longer than ${MAX_MESSAGE_LENGTH} bytes.`)
  }
}
