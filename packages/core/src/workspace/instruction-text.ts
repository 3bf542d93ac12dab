/** Bytes of one file or response that are given. */
export const LONGEST = 1_048_576

/** The text of these bytes up to the longest, and a word where they go on; `fatal` throws TypeError for what is no UTF-8. */
export function instructionText(bytes: Uint8Array, { fatal = false } = {}): string {
  const isCut = bytes.length > LONGEST
  // In a stream, so that a character which the cut halves is left out.
  const text = new TextDecoder("utf-8", { fatal }).decode(bytes.subarray(0, LONGEST), { stream: isCut }).trim()
  return isCut && text !== "" ? `${text}\n\n(The file goes on: only its first 1 MiB is given here.)` : text
}
