import { enoughRepetitions, MIN_REPETITIONS } from "./chunk.ts"
import { nextBorder } from "./periods.ts"
import type { TextRepetition } from "./repetition.ts"

/** Lengths of the searched ends of a text, in characters: a chunk can be as long as a tenth of the longest. */
const MIN_LENGTH = 256
const MAX_LENGTH = 16_384

/** A sixteenth of an end must be new before the next search, so that each character is read a fixed number of times. */
const LENGTH_PER_NEW = 16
const MIN_NEW = MIN_LENGTH / LENGTH_PER_NEW
const MAX_NEW = MAX_LENGTH / LENGTH_PER_NEW

/** Watches one text while it streams. */
export interface TextWatch {
  /**
   * Returns the repetition at the text's end once there is one; the same from then on. The cost of a character does not
   * depend on the text.
   */
  append(delta: string): TextRepetition | undefined
}

export function createTextWatch(): TextWatch {
  const codes = new Uint16Array(2 * MAX_LENGTH)
  const borders = new Int32Array(MAX_LENGTH + 1)
  const fences = createFences()
  /** Lengths of `codes` and of the whole text. */
  let end = 0
  let length = 0
  let found: TextRepetition | undefined

  function push(code: number): void {
    if (end === codes.length) {
      codes.copyWithin(0, MAX_LENGTH)
      end = MAX_LENGTH
    }
    codes[end++] = code
    length++
    fences.push(code)
  }

  const last = (count: number) => String.fromCharCode(...codes.subarray(end - count, end))

  function look(scale: number): TextRepetition | undefined {
    const size = Math.min(scale, length)
    let known = 0
    let enough = Infinity
    for (let count = 1; count <= size; count++) {
      const period = count - nextBorder(codes, end, count, borders)
      // Longer ends have no shorter chunk, so no longer end can contain it often enough.
      if (period * MIN_REPETITIONS > size) return undefined
      if (count < period * MIN_REPETITIONS) continue
      if (period !== known) {
        known = period
        enough = enoughRepetitions({ text: last(period), isFenced: fences.isInside() })
      }
      if (count >= period * enough) return { kind: "text", chunk: last(period), times: Math.floor(count / period) }
    }
    return undefined
  }

  return {
    append(delta) {
      for (let at = 0; at < delta.length && !found; at++) {
        push(delta.charCodeAt(at))
        if (length % MIN_NEW !== 0) continue
        // The greatest power of two that divides the length. The search of a long end is also that of the shorter ones.
        const divisor = length & -length
        found = look(Math.min(divisor, MAX_NEW) * LENGTH_PER_NEW)
      }
      return found
    },
  }
}

/** Tracks whether the end of the text is within a block of code. */
function createFences() {
  let count = 0
  let line = ""
  return {
    push(code: number): void {
      if (code === 10) line = ""
      else if (line.length < 3) {
        line = (line + String.fromCharCode(code)).trimStart()
        if (line === "```") count++
      }
    },
    isInside: () => count % 2 === 1,
  }
}
