import { similarity } from "../similarity.ts"
import { toSourceLines } from "./source-lines.ts"

const MAX_LINES = 5000
const MIN_SIMILARITY = 0.4
const MAX_SHOWN = 200

export interface ClosestLine {
  /** Counts from 1. */
  readonly number: number
  readonly text: string
}

/** Returns the line that is most similar to the first nonempty line of `oldString`. */
export function closestLine(text: string, oldString: string): ClosestLine | undefined {
  const wanted = oldString.trim().split(/\r?\n/)[0]?.trim().slice(0, MAX_SHOWN)
  if (!wanted) return undefined
  let best = { score: MIN_SIMILARITY, number: 0, text: "" }
  const lines = toSourceLines(text)
  for (let index = 0; index < Math.min(lines.count, MAX_LINES); index++) {
    const shown = lines.trimmed(index).slice(0, MAX_SHOWN)
    // Lines whose lengths differ this much cannot be similar enough.
    if (Math.min(shown.length, wanted.length) < Math.max(shown.length, wanted.length) * best.score) continue
    const score = similarity(shown, wanted)
    if (score > best.score) best = { score, number: index + 1, text: shown }
  }
  return best.number > 0 ? { number: best.number, text: best.text } : undefined
}
