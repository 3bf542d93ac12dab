/** The end of a terminal's output. Positions count the UTF-16 units since the terminal was opened. */
export interface TerminalOutput {
  /** Position of the oldest kept unit. */
  readonly start: number
  /** Position after the newest unit. */
  readonly end: number
  append(text: string): void
  /**
   * Returns at most `max` units from a position on, and the position after them. Never splits a code point. A position
   * before `start` counts as `start`.
   */
  read(from: number, max: number): { readonly text: string; readonly next: number }
}

/** Pieces of a few bytes are joined up to this length, so that there are not many of them. */
const PIECE_LENGTH = 16 * 1024

/** Keeps at least the last `max` units of what is appended, and at most one piece more. Each text has whole code points. */
export function createTerminalOutput(max: number): TerminalOutput {
  const pieces: string[] = []
  let start = 0
  let end = 0

  function trim(): void {
    for (;;) {
      const [oldest] = pieces
      if (oldest === undefined || end - start - oldest.length < max) return
      pieces.shift()
      start += oldest.length
    }
  }

  return {
    get start() {
      return start
    },
    get end() {
      return end
    },
    append(text) {
      const last = pieces.at(-1)
      if (last !== undefined && last.length + text.length <= PIECE_LENGTH) pieces[pieces.length - 1] = last + text
      else for (const piece of divided(text, PIECE_LENGTH)) pieces.push(piece)
      end += text.length
      trim()
    },
    read(from, length) {
      let at = start
      const found: string[] = []
      let next = Math.min(Math.max(from, start), end)
      for (const piece of pieces) {
        const after = at + piece.length
        if (after > next) {
          const begin = isLowSurrogate(piece, next - at) ? next - at + 1 : next - at
          const text = withoutHalf(piece.slice(begin, begin + length - lengthOf(found)))
          found.push(text)
          next = at + begin + text.length
          if (next < after) break
        }
        at = after
      }
      return { text: found.join(""), next }
    },
  }
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0)
}

/** Divides a text into pieces of about the length, between code points. */
function divided(text: string, length: number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length;) {
    const end = isLowSurrogate(text, at + length) ? at + length + 1 : at + length
    pieces.push(text.slice(at, end))
    at = end
  }
  return pieces
}

/** Returns whether the unit is the second of a code point. */
function isLowSurrogate(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff
}

/** Leaves out the last unit if it is the first of a code point. */
function withoutHalf(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text
}
