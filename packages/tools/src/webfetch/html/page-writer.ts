import { codeLanguage } from "./code-language.ts"
import { type Attributes, elements } from "./elements.ts"
import { isLeftOut } from "./is-left-out.ts"
import { createPage, type Page } from "./page.ts"
import type { TextStyle } from "./style.ts"

/** Takes a page's elements and texts in order. */
export interface PageWriter {
  open(name: string, attributes: Attributes): void
  text(text: string): void
  close(): void
  readonly depth: number
  /** Characters written so far. */
  length(): number
  /** Call it after all elements are closed. */
  result(): string
}

interface Frame {
  readonly name: string
  readonly language: string
  readonly close: (() => void) | undefined
}

/** Longer text is written in parts, so that other work can run in between. */
const MAX_PENDING = 32 * 1024
/** Number of levels above a code block that may mark its language. */
const LANGUAGE_LEVELS = 3
const NOTES_LANGUAGE = new Set(["div", "figure", "pre", "code"])

export function createPageWriter(url: URL, style: TextStyle): PageWriter {
  const page = createPage(url, style)
  const frames: Frame[] = []
  let leftOutAt: number | undefined
  // A parser may split one text into several pieces, whose meaning depends on their neighbours.
  let pending = ""

  function noteLanguage(): void {
    if (!page.code || page.code.language !== "") return
    const noted = frames.slice(-LANGUAGE_LEVELS).findLast(({ language }) => language !== "")
    page.code.language = noted?.language ?? ""
  }

  function writePending(): void {
    if (pending === "") return
    const text = pending
    pending = ""
    if (frames.at(-1)?.name === "title") page.title += text
    else if (page.code) page.code.text += text
    else page.sheet.inline.text(text)
  }

  return {
    open(name, attributes) {
      writePending()
      if (leftOutAt === undefined && isLeftOut(name, attributes)) leftOutAt = frames.length
      const isRead = leftOutAt === undefined && name !== "title"
      const close = !isRead
        ? undefined
        : page.code
          ? openInCode(page, name)
          : elements.get(name)?.(page, attributes, name)
      frames.push({ name, language: NOTES_LANGUAGE.has(name) ? codeLanguage(attributes) : "", close })
      noteLanguage()
    },
    text(text) {
      if (leftOutAt !== undefined) return
      pending += text
      if (pending.length > MAX_PENDING) writePending()
    },
    close() {
      writePending()
      const frame = frames.pop()
      frame?.close?.()
      if (leftOutAt !== undefined && frames.length <= leftOutAt) leftOutAt = undefined
    },
    get depth() {
      return frames.length
    },
    length: () => page.length(),
    result() {
      writePending()
      page.endBlock()
      const text = page.sheet.blocks.text()
      const title = page.title.replace(/\s+/g, " ").trim()
      if (page.hasMainHeading || title === "" || text === "") return text
      return `${style.hasMarkup ? "# " : ""}${title}\n\n${text}`
    },
  }
}

/** In preformatted text, elements only break lines. */
function openInCode(page: Page, name: string): undefined {
  const { code } = page
  if (!code) return
  if (name === "br") code.text += "\n"
  else if (/^(?:div|p|li|tr)$/.test(name) && code.text !== "" && !code.text.endsWith("\n")) code.text += "\n"
}
