import { isUtf8 } from "node:buffer"
import { diff3Merge } from "node-diff3"

/** Largest number of lines that are compared, because the time grows with the number of differences. */
const MAX_LINES = 50_000

/**
 * Merges two changes of a text: returns `ours` with the changes from `base` to `theirs`. Line by line; endings of lines
 * count. Undefined if both change the same lines, or if one is not text.
 */
export function mergeTexts(base: Buffer, ours: Buffer, theirs: Buffer): Buffer | undefined {
  const texts = [ours, base, theirs].map((bytes) => (isText(bytes) ? linesOf(bytes.toString("utf8")) : undefined))
  const [mine, old, other] = texts
  if (!mine || !old || !other || mine.length + old.length + other.length > MAX_LINES) return undefined
  const merged: string[] = []
  for (const block of diff3Merge(mine, old, other, { excludeFalseConflicts: true })) {
    if (!block.ok) return undefined
    merged.push(...block.ok)
  }
  return Buffer.from(merged.join(""), "utf8")
}

export function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0)
}

/** Returns the lines with their endings. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}
