import { similarity } from "../similarity.ts"
import { blockSpan, type SourceLine, toSourceLines } from "./source-lines.ts"
import type { Matcher } from "./span.ts"

const MIN_LINES = 3
const MIN_SIMILARITY = 0.65
/** A block may be longer or shorter than `oldString` by this share of its lines. */
const SLACK = 0.25

/**
 * Three lines or more whose first and last line are found (trimmed), while what stands between is at least 65 percent
 * alike. Of blocks with the same first line only the most alike counts.
 */
export const blockAnchors: Matcher = {
  name: "block anchors",
  isGuess: true,
  find(text, oldString) {
    const wanted = toSourceLines(oldString).map((line) => line.text.trim())
    const [first, last] = [wanted[0], wanted.at(-1)]
    if (wanted.length < MIN_LINES || !first || !last) return []
    const lines = toSourceLines(text)
    const slack = Math.max(1, Math.floor(wanted.length * SLACK))
    const shortest = Math.max(MIN_LINES, wanted.length - slack)
    return lines.flatMap((line, start) => {
      if (line.text.trim() !== first) return []
      const blocks: SourceLine[][] = []
      for (let length = shortest; length <= wanted.length + slack; length++) {
        if (lines[start + length - 1]?.text.trim() === last) blocks.push(lines.slice(start, start + length))
      }
      const best = blocks
        .map((block) => ({ block, score: likeness(block, wanted) }))
        .sort((a, b) => b.score - a.score)[0]
      return best && best.score >= MIN_SIMILARITY ? [blockSpan(best.block, oldString)] : []
    })
  },
}

/** How alike the lines between the anchors are, line by line; a line too many or too few counts as unlike. */
function likeness(block: readonly SourceLine[], wanted: readonly string[]): number {
  const found = block.slice(1, -1).map((line) => line.text.trim())
  const middle = wanted.slice(1, -1)
  const count = Math.max(found.length, middle.length)
  let sum = 0
  for (let index = 0; index < Math.min(found.length, middle.length); index++) {
    sum += similarity(found[index] ?? "", middle[index] ?? "")
  }
  return sum / count
}
