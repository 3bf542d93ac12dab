import type { Part } from "./message.ts"

/** Of a part, no more than this many UTF-16 units are searched. */
const LONGEST_TEXT = 256 * 1024

/** Of a word, no more than this many characters count. */
const LONGEST_WORD = 64

/** The words of a text in lower case, each once, in order of their first place. Canonically composed. */
export function searchWords(text: string): string[] {
  const words = new Set<string>()
  for (const run of text.normalize("NFC").toLowerCase().matchAll(wordOf(text))) {
    words.add(run[0].slice(0, LONGEST_WORD))
  }
  return [...words]
}

/** A word where it stands in a text. */
export interface PlacedWord {
  /** As `searchWords` returns it. */
  readonly word: string
  /** UTF-16 units of the text. */
  readonly start: number
  readonly end: number
}

/** Every word of a text in order, repeated words included. */
export function* placedWords(text: string): Generator<PlacedWord> {
  for (const { 0: run, index } of text.matchAll(wordOf(text))) {
    const word = run.normalize("NFC").toLowerCase().slice(0, LONGEST_WORD)
    yield { word, start: index, end: index + run.length }
  }
}

/**
 * A run of letters, marks and digits; a character of a script that is written without spaces is a word of its own. The
 * pattern that knows all scripts takes long to make, and most texts are ASCII.
 */
function wordOf(text: string): RegExp {
  if (!/[\u0080-\uFFFF]/.test(text)) return /[A-Za-z\d]+/g
  const spaceless = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`
  return new RegExp(String.raw`[${spaceless}]\p{M}*|(?:(?![${spaceless}])[\p{L}\p{N}\p{M}])+`, "gu")
}

/**
 * What of a part is searched: the text of prompts, answers and reasoning, the name, input and output of a tool call.
 * Undefined for parts that say nothing.
 */
export function searchText(part: Part): string | undefined {
  const text = wholeText(part)?.slice(0, LONGEST_TEXT)
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

/** Every string and number in a JSON value, in order. */
function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value]
  if (typeof value === "number") return [String(value)]
  if (typeof value !== "object" || value === null) return []
  return Object.values(value).flatMap(stringsOf)
}

/** Whether a text with these words is found by a query with those: each must begin one. */
export function matchesWords(words: readonly string[], query: readonly string[]): boolean {
  return query.length > 0 && query.every((wanted) => words.some((word) => word.startsWith(wanted)))
}
