import type { Chunk } from "./chunks.ts"
import { type BlockLayout, proseColumns } from "./layout.ts"
import { shownText } from "./shown-text.ts"

/** Renders a piece of an answer. A piece of a code block gets the borders that it has itself. */
export function chunkLines({ text, begunFence, isOpenEnded }: Chunk, layout: BlockLayout): string[] {
  const opened = begunFence === undefined ? text : `${begunFence}\n${text}`
  const whole = isOpenEnded ? `${opened.replace(/\n$/, "")}\n${closerOf(opened)}` : opened
  const lines = layout.markdown(shownText(whole), proseColumns(layout))
  const end = isOpenEnded ? lines.findLastIndex((line) => line.trim() !== "") : lines.length
  return withoutEmptyEnd(lines.slice(begunFence === undefined ? 0 : 1, end))
}

function closerOf(text: string): string {
  const [mark = "```"] = /[`~]{3,}/.exec(text) ?? []
  return mark
}

function withoutEmptyEnd(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1)
}
