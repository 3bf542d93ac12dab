import { lineBlocks } from "./line-blocks.ts"
import type { Matcher } from "./matcher.ts"

/** Whole lines that are the same once white space at both ends of each line is dropped. */
export const lineTrimmed: Matcher = {
  name: "trimmed lines",
  find: (source, oldString, options) => lineBlocks(source, oldString, options),
}
