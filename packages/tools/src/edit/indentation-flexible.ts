import { findBlocks } from "./source-lines.ts"
import type { Matcher } from "./span.ts"

/** Whole lines that differ only in how far the block as a whole is indented. */
export const indentationFlexible: Matcher = {
  name: "indentation",
  find(text, oldString) {
    return findBlocks(text, oldString, (block, wanted) => {
      const dedented = withoutIndentation(wanted)
      return withoutIndentation(block).every((line, index) => line === dedented[index])
    })
  },
}

function withoutIndentation(lines: readonly string[]): readonly string[] {
  const depths = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length)
  const depth = Math.min(...depths)
  return lines.map((line) => (line.trim() === "" ? "" : line.slice(depth)))
}
