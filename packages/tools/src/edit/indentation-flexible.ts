import { lineBlocks } from "./line-blocks.ts"
import type { Matcher } from "./matcher.ts"

/** Whole lines that differ only in how far the block as a whole is indented. */
export const indentationFlexible: Matcher = {
  name: "indentation",
  find: (source, oldString, options) =>
    lineBlocks(source, oldString, options, (block, wanted) => {
      const dedented = withoutIndentation(wanted)
      return withoutIndentation(block).every((line, index) => line === dedented[index])
    }),
}

function withoutIndentation(lines: readonly string[]): readonly string[] {
  const depth = lines
    .filter((line) => line.trim() !== "")
    .reduce((least, line) => Math.min(least, line.length - line.trimStart().length), Number.POSITIVE_INFINITY)
  return lines.map((line) => (line.trim() === "" ? "" : line.slice(depth)))
}
