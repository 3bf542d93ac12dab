import type { Part } from "./message.ts"

/** Maximum length of a part's searched text in UTF-16 units. */
const MAX_TEXT_LENGTH = 256 * 1024

/** Maximum length of a word in UTF-16 units. Longer words are cut. */
const MAX_WORD_LENGTH = 64

/** Returns the words of a text in lower case and composed (NFC), each once, in the order of their first position. */
export function searchWords(text: string): string[] {
  const words = new Set<string>()
  for (const run of text.normalize("NFC").toLowerCase().matchAll(wordOf(text))) {
    words.add(run[0].slice(0, MAX_WORD_LENGTH))
  }
  return [...words]
}

/** A word and its position in a text. */
export interface PlacedWord {
  /** The word in the form that `searchWords` returns. */
  readonly word: string
  /** Positions in UTF-16 units. */
  readonly start: number
  readonly end: number
}

/** Yields every word of a text in order, including repeated words. */
export function* placedWords(text: string): Generator<PlacedWord> {
  for (const { 0: run, index } of text.matchAll(wordOf(text))) {
    const word = run.normalize("NFC").toLowerCase().slice(0, MAX_WORD_LENGTH)
    yield { word, start: index, end: index + run.length }
  }
}

/**
 * Matches a run of letters, marks and digits. A character of a script without spaces is a word of its own. Most texts
 * are ASCII, and compiling the pattern for all scripts is slow.
 */
function wordOf(text: string): RegExp {
  if (!/[\u0080-\uFFFF]/.test(text)) return /[A-Za-z\d]+/g
  const spaceless = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`
  return new RegExp(String.raw`[${spaceless}]\p{M}*|(?:(?![${spaceless}])[\p{L}\p{N}\p{M}])+`, "gu")
}

/**
 * Returns the searched text of a part: the text of prompts, answers and reasoning; the name, input and output of a tool
 * call. Undefined for parts without text.
 */
export function searchText(part: Part): string | undefined {
  const text = wholeText(part)?.slice(0, MAX_TEXT_LENGTH)
  return text === undefined || text.trim() === "" ? undefined : text
}

function wholeText(part: Part): string | undefined {
  if (part.type === "text") return part.ignored ? undefined : part.text
  if (part.type === "reasoning") return part.text
  if (part.type !== "tool") return undefined
  const { state } = part
  const result = state.status === "completed" ? state.output : state.status === "error" ? state.error : ""
  return [part.tool, ...stringsOf(state.input), result].join("\n")
}

/** Returns every string and number in a JSON value, in order. */
function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value]
  if (typeof value === "number") return [String(value)]
  if (typeof value !== "object" || value === null) return []
  return Object.values(value).flatMap(stringsOf)
}

/** Returns whether a query finds a text with these words: each word of the query must begin a word of the text. */
export function matchesWords(words: readonly string[], query: readonly string[]): boolean {
  return query.length > 0 && query.every((wanted) => words.some((word) => word.startsWith(wanted)))
}
