import { stripVTControlCharacters } from "node:util"
import type { Output } from "./output.ts"

export interface CollectedOutput extends Output {
  /** Returns the written lines without colours. */
  readonly lines: () => readonly string[]
}

/** Remembers what is written to it. `passes`: whether it is written as well. */
export function collectedOutput(
  output: Output,
  chunks: string[],
  { passes }: { readonly passes: boolean },
): CollectedOutput {
  return {
    isTerminal: passes && output.isTerminal,
    isDumb: output.isDumb === true,
    gone: output.gone,
    get columns() {
      return output.columns
    },
    get stream() {
      return output.stream
    },
    write(text) {
      if (!text.startsWith("\r")) chunks.push(text)
      if (passes) output.write(text)
    },
    flushed: () => output.flushed(),
    lines() {
      const text = stripVTControlCharacters(chunks.join(""))
      return text.split("\n").filter((line) => line.trim() !== "")
    },
  }
}
