import type { Block } from "../state/view.ts"
import { blockLines } from "./block-lines.ts"
import { type Chunks, chunksAfter, type TextMark, textStart } from "./chunks.ts"
import type { BlockLayout } from "./layout.ts"
import { promptMarked } from "../terminal/sequences.ts"
import { chunkLines } from "./text-lines.ts"

/** The end of the scrollback. */
export interface TranscriptEnd {
  /** Type of the newest block in the scrollback. */
  readonly last: Block["type"] | undefined
  /** How far the first block that is not finished is in the scrollback. */
  readonly mark: TextMark | undefined
}

/** Lines to print now, and those of the live region. */
export interface Transcript {
  /** Finished lines. */
  readonly commits: readonly string[]
  /** Number of blocks that end with these lines. */
  readonly count: number
  readonly end: TranscriptEnd
  readonly live: readonly string[]
}

export const transcriptStart: TranscriptEnd = { last: undefined, mark: undefined }

/** Divides blocks into lines for the scrollback and lines for the live region. Only finished blocks at the front are printed. */
export function transcript(blocks: readonly Block[], before: TranscriptEnd, layout: BlockLayout): Transcript {
  const commits: string[] = []
  let end = before
  let count = 0
  for (const block of blocks) {
    if (!block.isDone) break
    const lines = end.mark
      ? restOfText(block, end.mark, layout)
      : withGap(end.last, block.type, printedLines(block, layout))
    commits.push(...lines)
    const isEmpty = lines.length === 0 && !end.mark
    end = { last: isEmpty ? end.last : block.type, mark: undefined }
    count++
  }
  const [open, ...others] = blocks.slice(count)
  if (!open) return { commits, count, end, live: [] }
  const live: string[] = []
  let { last } = end
  if (open.type === "text") {
    const { done, rest } = chunksAfter(open.text, end.mark ?? textStart, false)
    const isBegun = end.mark !== undefined
    for (const [at, { chunk, mark }] of done.entries()) {
      const lines = chunkLines(chunk, layout)
      const gap = isBegun || at > 0 ? (chunk.hasGap ? [""] : []) : gapBetween(end.last, "text")
      commits.push(...gap, ...lines)
      end = { last: "text", mark }
    }
    const gap = end.mark ? (rest?.hasGap ? [""] : []) : gapBetween(end.last, "text")
    if (rest) live.push(...gap, ...chunkLines(rest, layout))
    last = "text"
  } else {
    live.push(...withGap(last, open.type, blockLines(open, layout)))
    last = open.type
  }
  for (const block of others) {
    live.push(...withGap(last, block.type, blockLines(block, layout)))
    last = block.type
  }
  return { commits, count, end, live }
}

/** Prompts in the scrollback are marked: in the live region, a mark would be made again and again. */
function printedLines(block: Block, layout: BlockLayout): string[] {
  const lines = blockLines(block, layout)
  return block.type === "prompt" && layout.hasLinks ? promptMarked(lines) : lines
}

/** Renders what of a finished text is not in the scrollback yet. */
function restOfText(block: Block, mark: TextMark, layout: BlockLayout): string[] {
  if (block.type !== "text") return []
  const { done }: Chunks = chunksAfter(block.text, mark, true)
  return done.flatMap(({ chunk }) => [...(chunk.hasGap ? [""] : []), ...chunkLines(chunk, layout)])
}

function withGap(last: Block["type"] | undefined, type: Block["type"], lines: string[]): string[] {
  return lines.length === 0 ? lines : [...gapBetween(last, type), ...lines]
}

/** Calls and notices follow each other without a blank line. */
function gapBetween(last: Block["type"] | undefined, type: Block["type"]): string[] {
  if (last === undefined) return []
  if (last === "shell" && type === "tool") return []
  const isQuiet = (each: Block["type"]) => ["tool", "notice", "retry", "compaction", "reasoning"].includes(each)
  return isQuiet(last) && isQuiet(type) ? [] : [""]
}
