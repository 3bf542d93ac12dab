import { toByteView } from "../file/byte-view.ts"
import { decodeText, encodeText } from "../file/text-file.ts"
import type { Hunk } from "./patch.ts"
import { patchedText } from "./patched-text.ts"

export interface PatchedBytes {
  readonly bytes: Buffer
  readonly notes: readonly string[]
}

/** Applies hunks to a file's bytes. Bytes outside of the hunks stay unchanged in any encoding. */
export function patchedBytes(before: Buffer, hunks: readonly Hunk[], file: string): PatchedBytes {
  const { text, encoding } = decodeText(before)
  const view = encoding === "bytes" ? toByteView(text, hunks.flatMap(textsOf)) : (same: string) => same
  const seen = hunks.map((hunk) => ({
    ...hunk,
    headers: hunk.headers.map(view),
    lines: hunk.lines.map(({ sign, text: line }) => ({ sign, text: view(line) })),
  }))
  const patched = patchedText(text, seen, file)
  return { bytes: encodeText(patched.text, encoding), notes: patched.notes }
}

function textsOf({ headers, lines }: Hunk): readonly string[] {
  return [...headers, ...lines.map(({ text }) => text)]
}
