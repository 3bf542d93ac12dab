/** Maximum bytes of one file or response. */
export const MAX_INSTRUCTION_BYTES = 1_048_576

/** Decodes the text up to the limit, with a note if the bytes continue. `fatal` throws TypeError for invalid UTF-8. */
export function instructionText(bytes: Uint8Array, { fatal = false } = {}): string {
  const isCut = bytes.length > MAX_INSTRUCTION_BYTES
  // Decoding as a stream drops a character that the cut halves.
  const text = new TextDecoder("utf-8", { fatal })
    .decode(bytes.subarray(0, MAX_INSTRUCTION_BYTES), { stream: isCut })
    .trim()
  return isCut && text !== "" ? `${text}\n\n(The file goes on: only its first 1 MiB is given here.)` : text
}
