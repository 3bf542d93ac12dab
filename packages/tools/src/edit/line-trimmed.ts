import { findBlocks } from "./source-lines.ts"
import type { Matcher } from "./span.ts"

/** Whole lines that are the same once white space at both ends of each line is dropped. */
export const lineTrimmed: Matcher = {
  name: "trimmed lines",
  find(text, oldString) {
    return findBlocks(text, oldString, (block, wanted) =>
      block.every((line, index) => line.trim() === wanted[index]?.trim()),
    )
  },
}
