/** How far a text is in the scrollback. */
export interface TextMark {
  /** Characters. */
  readonly upTo: number
  /** The line that opened the code block in which the mark is. */
  readonly fence?: string
  /** Set if a blank line belongs before what follows. */
  readonly hasGap: boolean
}

/** A piece of Markdown that can be rendered by itself. */
export interface Chunk {
  readonly text: string
  /** Opening line of the code block that the piece begins in. */
  readonly begunFence?: string
  /** Set if the piece ends within a code block. */
  readonly isOpenEnded: boolean
  readonly hasGap: boolean
}

export interface Chunks {
  /** Finished pieces, each with the mark behind it. */
  readonly done: readonly { readonly chunk: Chunk; readonly mark: TextMark }[]
  /** The end, which may still change. Undefined if nothing is left. */
  readonly rest: Chunk | undefined
}

export const textStart: TextMark = { upTo: 0, hasGap: false }

/** Lines of a code block or list after which it is cut, so that what may change always fits on a screen. */
const MAX_CHUNK_LINES = 24

/** Splits a growing Markdown text behind a mark: at blank lines, around code blocks, and within long ones. */
export function chunksAfter(text: string, mark: TextMark, isDone: boolean): Chunks {
  const done: { chunk: Chunk; mark: TextMark }[] = []
  let current = mark
  for (;;) {
    const found = nextChunk(text, current)
    if (!found) break
    done.push(found)
    current = found.mark
  }
  const rest = text.slice(current.upTo).replace(/^\n+/, (lines) => (current.fence === undefined ? "" : lines))
  if (rest.trim() === "") return { done, rest: undefined }
  const chunk = restChunk(rest, current, isDone)
  if (!isDone) return { done, rest: chunk }
  return { done: [...done, { chunk, mark: { upTo: text.length, hasGap: true } }], rest: undefined }
}

function restChunk(text: string, { fence, hasGap }: TextMark, isDone: boolean): Chunk {
  const open = fenceAtEnd(text, fence)
  return {
    text,
    hasGap,
    isOpenEnded: open !== undefined && !isDone,
    ...(fence === undefined ? {} : { begunFence: fence }),
  }
}

interface Line {
  readonly text: string
  readonly from: number
  readonly to: number
}

function nextChunk(text: string, mark: TextMark): { chunk: Chunk; mark: TextMark } | undefined {
  const { fence: begunFence } = mark
  let fence = begunFence
  let { hasGap } = mark
  let start = mark.upTo
  let count = 0
  const cut = (end: number, next: TextMark, isOpenEnded = false) => ({
    chunk: { text: text.slice(start, end), hasGap, isOpenEnded, ...(begunFence === undefined ? {} : { begunFence }) },
    mark: next,
  })
  for (const line of completeLines(text, mark.upTo)) {
    if (fence !== undefined) {
      count++
      if (closesFence(line.text, fence)) return cut(line.to, { upTo: line.to, hasGap: false })
      if (count >= MAX_CHUNK_LINES) return cut(line.to, { upTo: line.to, fence, hasGap: false }, true)
      continue
    }
    if (line.text.trim() === "") {
      if (count === 0) {
        start = line.to
        hasGap = true
        continue
      }
      const next = text[line.to]
      // An indented line belongs to the list item above it.
      if (next !== undefined && !/\s/.test(next)) return cut(line.from, { upTo: line.to, hasGap: true })
      continue
    }
    const opener = openedFence(line.text)
    if (opener !== undefined && count > 0 && !/^\s/.test(line.text))
      return cut(line.from, { upTo: line.from, hasGap: false })
    if (opener !== undefined && count === 0) fence = opener
    if (count >= MAX_CHUNK_LINES && LIST_ITEM.test(line.text)) return cut(line.from, { upTo: line.from, hasGap: false })
    count++
  }
  return undefined
}

const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)]) /

function* completeLines(text: string, from: number): Generator<Line> {
  for (let at = from; ;) {
    const end = text.indexOf("\n", at)
    if (end < 0) return
    yield { text: text.slice(at, end), from: at, to: end + 1 }
    at = end + 1
  }
}

function openedFence(line: string): string | undefined {
  return /^ {0,3}(?:`{3,}[^`]*|~{3,}.*)$/.test(line) ? line : undefined
}

function closesFence(line: string, opener: string): boolean {
  const [mark = ""] = /[`~]{3,}/.exec(opener) ?? []
  const closer = line.trim()
  return closer.length >= mark.length && closer === (mark[0] ?? "").repeat(closer.length)
}

function fenceAtEnd(text: string, begun: string | undefined): string | undefined {
  let fence = begun
  for (const line of text.split("\n")) {
    if (fence === undefined) fence = openedFence(line)
    else if (closesFence(line, fence)) fence = undefined
  }
  return fence
}
