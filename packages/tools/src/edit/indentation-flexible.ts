import { lineBlocks } from "./line-blocks.ts"
import type { Matcher } from "./matcher.ts"

/** Matches whole lines whose common indentation differs. */
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
