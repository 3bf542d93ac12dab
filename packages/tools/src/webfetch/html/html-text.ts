import { setImmediate as nextTurn } from "node:timers/promises"
import { createPageWriter } from "./page-writer.ts"
import type { TextStyle } from "./style.ts"

export interface HTMLTextOptions {
  /** What relative links start from. */
  readonly url: URL
  readonly style: TextStyle
  readonly signal: AbortSignal
}

export interface HTMLText {
  readonly text: string
  /** Whether the page would have given more text than is kept. */
  readonly isCut: boolean
}

const CHUNK = 16 * 1024
/** A page that nests deeper is made to exhaust its reader. */
const MAX_DEPTH = 1000
const MAX_LENGTH = 5 * 1024 * 1024

/**
 * What a page says, from its start to its end. Nothing in it is run or loaded. The time it takes grows with the page's length alone,
 * and others get their turn in between. Throws when the page nests too deeply, and what `signal` was aborted with.
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
