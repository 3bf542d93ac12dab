import { codeSpan, escaped } from "./escape.ts"
import type { Mark, TextStyle } from "./style.ts"

/** Builds the text of one block. Collapses white space and omits marks without content. */
export interface InlineText {
  text(text: string): void
  /** Adds text without escaping, such as an image. */
  raw(text: string): void
  lineBreak(): void
  /** Opens a mark, unless it is open already. The returned function closes it. */
  mark(mark: Mark): () => void
  /** A link within a link ends the outer one. */
  link(address: string): () => void
  code(): () => void
  /** Returns the block and starts a new one. Open marks are closed and opened again in the new block. */
  take(): string
  /** Length of the current block. */
  readonly length: number
}

interface Span {
  readonly kind: string
  readonly open: string
  readonly close: string
  isWritten: boolean
}

export function createInlineText({ marks, hasMarkup }: TextStyle): InlineText {
  let pieces: string[] = []
  let length = 0
  const spans: Span[] = []
  let code: string | undefined
  // White space before the next text. Written late, so that marks close before it and open after it.
  let gap = { hasSpace: false, breaks: 0 }

  const isAtLineStart = () => pieces.length === 0 || gap.breaks > 0

  function write(text: string): void {
    if (pieces.length > 0) pieces.push(gapText())
    gap = { hasSpace: false, breaks: 0 }
    for (const span of spans) {
      if (!span.isWritten) pieces.push(span.open)
      span.isWritten = true
      length += span.close.length
    }
    pieces.push(text)
    length += text.length
  }

  function gapText(): string {
    if (gap.breaks > 1) return "\n\n"
    if (gap.breaks === 1) return hasMarkup ? "  \n" : "\n"
    return gap.hasSpace ? " " : ""
  }

  function endCode(): void {
    const content = (code ?? "").replace(/\s+/g, " ")
    code = undefined
    if (content.startsWith(" ")) gap.hasSpace = true
    const trimmed = content.trim()
    if (trimmed !== "") write(hasMarkup ? codeSpan(trimmed) : trimmed)
    if (content.endsWith(" ")) gap.hasSpace = true
  }

  function openSpan(kind: string, open: string, close: string): () => void {
    if (spans.some((span) => span.kind === kind)) return () => {}
    const span: Span = { kind, open, close, isWritten: false }
    spans.push(span)
    return () => closeSpan(span)
  }

  function closeSpan(span: Span): void {
    const index = spans.indexOf(span)
    if (index < 0) return
    // Marks opened inside of this one are closed with it and opened again after it.
    endSpans(spans.slice(index))
    spans.splice(index, 1)
  }

  function endSpans(ended: readonly Span[]): void {
    for (const span of ended.toReversed()) {
      if (span.isWritten) pieces.push(span.close)
      span.isWritten = false
    }
  }

  return {
    text(text) {
      if (code !== undefined) {
        code += text
        return
      }
      const words = text.replaceAll("\u200B", "").replace(/[ \t\n\f\r]+/g, " ")
      if (words.startsWith(" ")) gap.hasSpace = true
      const content = words.replace(/^ | $/g, "")
      if (content !== "") write(hasMarkup ? escaped(content, isAtLineStart()) : content)
      if (words.endsWith(" ")) gap.hasSpace = true
    },
    raw: write,
    lineBreak() {
      if (code === undefined) gap.breaks += 1
      else code += " "
    },
    mark: (mark) => openSpan(mark, ...marks[mark]),
    link(address) {
      if (!hasMarkup) return () => {}
      const outer = spans.find(({ kind }) => kind === "link")
      if (outer) closeSpan(outer)
      return openSpan("link", "[", `](${address})`)
    },
    code() {
      if (code !== undefined) return () => {}
      code = ""
      return endCode
    },
    take() {
      const isCode = code !== undefined
      endCode()
      endSpans(spans)
      const block = pieces.join("")
      pieces = []
      length = 0
      gap = { hasSpace: false, breaks: 0 }
      if (isCode) code = ""
      return block
    },
    get length() {
      return length
    },
  }
}
