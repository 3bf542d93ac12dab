import { type DocumentLimits, documentLimits, textLimit, tooDeep, tooMuch } from "./document-limits.ts"

/** Checks the limits of a JSON text while it is read. Remembers only the path to the current field. */
export interface TextScanner {
  /**
   * Throws DocumentError if a limit is exceeded. For a string it does so at the string's end, when its size is known.
   */
  take(piece: string): void
  /** Returns true while a string is read that is already too large, so that the caller need not keep it. */
  isRefusing(): boolean
  /** Throws DocumentError if the text ends inside of a string that is too large. */
  end(): void
}

interface Level {
  readonly isList: boolean
  /** Name of the current field, or index of the current entry. */
  key: string | number
  entries: number
}

const MAX_KEPT_NAME_LENGTH = 200

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const SPACE = 0x20

/** Accepts invalid JSON; the parser reports it. */
export function createTextScanner(limits: DocumentLimits = documentLimits): TextScanner {
  const levels: Level[] = []
  let [total, values, literal] = [0, 0, 0]
  let string: { length: number; isEscaped: boolean; readonly limit: number } | undefined
  /** The name of a field while it is read. */
  let name: string | undefined
  let isName = false

  const path = () => levels.map(({ key }) => key)

  function open(isList: boolean): void {
    values++
    if (values > limits.values) throw tooMuch([], values, limits.values, "lists and objects")
    levels.push({ isList, key: isList ? 0 : "", entries: 1 })
    if (levels.length > limits.levels) throw tooDeep(path(), limits.levels)
    isName = !isList
  }

  function next(): void {
    const level = levels.at(-1)
    if (!level) return
    level.entries++
    if (level.entries > limits.entries) throw tooMuch(path().slice(0, -1), level.entries, limits.entries, "entries")
    if (level.isList) level.key = level.entries - 1
    isName = !level.isList
  }

  function beginString(): void {
    name = isName ? "" : undefined
    string = { length: 0, isEscaped: false, limit: isName ? limits.path : textLimit(path(), limits) }
  }

  /** Reads on in the open string. Returns the index of its end, or the length of the piece. */
  function readString(piece: string, from: number, open: NonNullable<typeof string>): number {
    let at = from
    if (open.isEscaped) {
      open.isEscaped = false
      open.length++
      if (name !== undefined) name += piece[at] ?? ""
      at++
    }
    for (;;) {
      const quote = piece.indexOf('"', at)
      const end = quote === -1 ? piece.length : quote
      const escape = escapeBefore(piece, at, end)
      const to = escape === -1 ? end : Math.min(escape + 2, piece.length)
      if (name !== undefined && name.length < MAX_KEPT_NAME_LENGTH)
        name += piece.slice(at, Math.min(to, at + MAX_KEPT_NAME_LENGTH))
      open.length += to - at
      at = to
      if (escape === -1) {
        if (quote === -1) return at
        endString()
        return at + 1
      }
      open.isEscaped = escape + 1 === piece.length
      if (at === piece.length) return at
    }
  }

  function refuseString(): void {
    if (!string || string.length <= string.limit) return
    throw tooMuch(name === undefined ? path() : path().slice(0, -1), string.length, string.limit, "characters")
  }

  function endString(): void {
    refuseString()
    const level = levels.at(-1)
    if (name !== undefined && level) level.key = name.slice(0, MAX_KEPT_NAME_LENGTH)
    string = undefined
    name = undefined
  }

  function readCharacter(code: number): void {
    const isPlain = code > SPACE && code !== COMMA && code !== COLON
    if (code === QUOTE) beginString()
    else if (code === OPEN_OBJECT || code === OPEN_LIST) open(code === OPEN_LIST)
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      levels.pop()
      isName = false
    } else if (code === COMMA) next()
    else if (code === COLON) isName = false
    else if (isPlain && ++literal > limits.name) throw tooMuch(path(), literal, limits.name, "characters")
    if (!isPlain || code === QUOTE) literal = 0
  }

  return {
    take(piece) {
      total += piece.length
      if (total > limits.total) {
        refuseString()
        throw tooMuch([], total, limits.total, "characters")
      }
      for (let at = 0; at < piece.length;) {
        if (string) at = readString(piece, at, string)
        else readCharacter(piece.charCodeAt(at++))
      }
    },
    isRefusing: () => string !== undefined && string.length > string.limit,
    end: refuseString,
  }
}

/** Returns the index of the first backslash in the range; -1 if there is no backslash. */
function escapeBefore(piece: string, from: number, to: number): number {
  for (let at = from; at < to; at++) if (piece.charCodeAt(at) === 0x5c) return at
  return -1
}

/** Yields the pieces of a text after they were checked. Throws DocumentError like the scanner. */
export async function* limitedText(
  text: AsyncIterable<string>,
  limits: DocumentLimits = documentLimits,
): AsyncGenerator<string> {
  const scanner = createTextScanner(limits)
  for await (const piece of text) {
    scanner.take(piece)
    if (!scanner.isRefusing()) yield piece
  }
  scanner.end()
}
