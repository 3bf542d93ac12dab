import { setImmediate as nextTurn } from "node:timers/promises"
import { createPageWriter } from "./page-writer.ts"
import type { TextStyle } from "./style.ts"

export interface HTMLTextOptions {
  /** Base of relative links. */
  readonly url: URL
  readonly style: TextStyle
  readonly signal: AbortSignal
}

export interface HTMLText {
  readonly text: string
  /** Set if the text exceeded the limit. */
  readonly isCut: boolean
}

const CHUNK = 16 * 1024
/** Deeper nesting is an attack on the parser. */
const MAX_DEPTH = 1000
const MAX_LENGTH = 5 * 1024 * 1024

/**
 * Returns the text of a page. Runs and loads nothing. Takes time proportional to the page's length and yields to other
 * work in between. Throws if the page nests too deeply, or with the signal's reason.
 */
export async function htmlText(html: string, { url, style, signal }: HTMLTextOptions): Promise<HTMLText> {
  const { Parser } = await import("htmlparser2")
  const writer = createPageWriter(url, style)
  const parser = new Parser({
    onopentag: (name, attributes) => writer.open(name, attributes),
    ontext: (text) => writer.text(text),
    onclosetag: () => writer.close(),
  })
  let isCut = false
  for (let start = 0; start < html.length && !isCut; start += CHUNK) {
    signal.throwIfAborted()
    parser.write(html.slice(start, start + CHUNK))
    if (writer.depth > MAX_DEPTH) throw new Error(`its elements nest deeper than ${MAX_DEPTH} levels`)
    isCut = writer.length() > MAX_LENGTH
    await nextTurn()
  }
  parser.end()
  const text = writer.result()
  return { text: text.slice(0, MAX_LENGTH), isCut: isCut || text.length > MAX_LENGTH }
}
