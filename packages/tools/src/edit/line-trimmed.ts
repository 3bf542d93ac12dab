import { lineBlocks } from "./line-blocks.ts"
import type { Matcher } from "./matcher.ts"

/** Matches whole lines that are equal after trimming each one. */
export const lineTrimmed: Matcher = {
  name: "trimmed lines",
  find: (source, oldString, options) => lineBlocks(source, oldString, options),
}
