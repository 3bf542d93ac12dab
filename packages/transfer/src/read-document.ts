import { isObject } from "./json.ts"
import { limitedText } from "./limits/text-scanner.ts"

/**
 * Parses a document in the layout of `writeSession`, with one message or blob per line, without loading the whole text.
 * Returns undefined for any other text, which may still be a valid document. Rejects with DocumentError if the text is
 * too large.
 */
export async function readDocument(text: AsyncIterable<string>): Promise<unknown> {
  const reader = createLineReader()
  for await (const line of linesOf(limitedText(text))) {
    if (line === "") continue
    try {
      if (!reader.take(line)) return undefined
    } catch {
      // The line is not valid JSON.
      return undefined
    }
  }
  return reader.document()
}

interface Entry {
  session: unknown
  messages: unknown[]
}

interface Begun {
  sessions: unknown[]
  blobs?: unknown[]
}

function createLineReader(): { take(line: string): boolean; document(): unknown } {
  let document: Begun | undefined
  let entry: Entry | undefined
  let isEnded = false
  /** Allowed next lines: after a comma another entry, without a comma the end, at the start of a list either. */
  let [canAdd, canClose] = [true, true]

  function begin(line: string): boolean {
    if (!line.startsWith('{"format":') || !line.endsWith('"sessions":[')) return false
    document = JSON.parse(`${line}]}`) as Begun
    return true
  }

  /** Handles `]` and the text after it. */
  function close(line: string): boolean {
    const rest = line.slice(1)
    if (entry) {
      if (!rest.startsWith(',"hash":')) return false
      Object.assign(entry, JSON.parse(`{${withoutComma(rest).slice(1)}`))
      entry = undefined
      return true
    }
    if (rest === ',"blobs":[') {
      if (!document || document.blobs) return false
      document.blobs = []
      return true
    }
    const end = JSON.parse(`{${rest.slice(1)}`) as object
    isEnded = "report" in end
    Object.assign(document ?? {}, end)
    return isEnded
  }

  function item(line: string, { sessions, blobs }: Begun): boolean {
    if (entry) return entry.messages.push(JSON.parse(withoutComma(line))) > 0
    if (blobs) return blobs.push(JSON.parse(withoutComma(line))) > 0
    if (!line.startsWith('{"session":') || !line.endsWith(',"messages":[')) return false
    entry = JSON.parse(`${line}]}`) as Entry
    return sessions.push(entry) > 0
  }

  return {
    take(line) {
      if (isEnded) return false
      if (!document) return begin(line)
      const isClose = line.startsWith("]")
      if (isClose ? !canClose : !canAdd) return false
      const isFirst = line.endsWith("[")
      canAdd = isFirst || line.endsWith(",")
      canClose = isFirst || !canAdd
      return isClose ? close(line) : item(line, document)
    },
    document: () => (isEnded && isObject(document) ? document : undefined),
  }
}

function withoutComma(line: string): string {
  return line.endsWith(",") ? line.slice(0, -1) : line
}

/** Splits at line feeds only, because JSON may contain other line separators. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let pieces: string[] = []
  for await (const chunk of text) {
    const lines = chunk.split("\n")
    for (const line of lines.slice(0, -1)) {
      yield pieces.length === 0 ? line : [...pieces, line].join("")
      pieces = []
    }
    pieces.push(lines.at(-1) ?? "")
  }
  yield pieces.join("")
}
