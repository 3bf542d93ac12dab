import { parse, type Word } from "unbash"

/** Maximum number of words. */
const MAX_WORDS = 128
const MAX_LENGTH = 1024

/** Expands the braces of a word. Returns the word itself if it has none or too many. */
export function alternatives(word: Word): readonly Word[] {
  if (!word.parts?.some(({ type }) => type === "BraceExpansion")) return [word]
  const texts = expanded(word.text)
  if (!texts) return [word]
  const [statement, ...others] = parse(`: ${texts.join(" ")}`).commands
  const command = statement?.command
  if (command?.type !== "Command" || others.length > 0 || command.args.length !== texts.length) return [word]
  const words = command.args.filter((each) => each.type === "Word")
  return words.length === texts.length ? words : [word]
}

interface List {
  readonly start: number
  /** Position after the closing brace. */
  readonly end: number
  readonly items: readonly string[]
}

/** Returns undefined if there are too many words. Empty words are dropped. */
function expanded(text: string): readonly string[] | undefined {
  const done: string[] = []
  const open = text.length > MAX_LENGTH ? [] : [text]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const word = next
    const list = firstList(word)
    if (list)
      open.push(...list.items.map((item) => word.slice(0, list.start) + item + word.slice(list.end)).toReversed())
    else if (word !== "") done.push(word)
    if (done.length + open.length > MAX_WORDS) return undefined
  }
  return done.length > 0 ? done : undefined
}

/** Quotes, escapes and expansions, in which braces are ordinary characters. */
const ASIDE = /\\.|'[^']*'|"(?:\\.|[^"\\])*"|\$\{(?:\\.|[^}\\])*\}|`[^`]*`/sy

function firstList(text: string): List | undefined {
  const skip = (at: number) => {
    ASIDE.lastIndex = at
    return ASIDE.exec(text)?.[0].length ?? 0
  }
  for (let start = 0; start < text.length;) {
    const length = skip(start)
    const list = length === 0 && text[start] === "{" ? listAt(text, start, skip) : undefined
    if (list) return list
    start += length || 1
  }
  return undefined
}

function listAt(text: string, start: number, skip: (at: number) => number): List | undefined {
  const items: string[] = []
  let [depth, from] = [0, start + 1]
  for (let at = start; at < text.length; at++) {
    const length = skip(at)
    if (length > 0) {
      at += length - 1
      continue
    }
    const character = text[at]
    if (character === "{") depth++
    else if (character === "}") depth--
    if (depth === 0 || (character === "," && depth === 1)) {
      items.push(text.slice(from, at))
      from = at + 1
    }
    if (depth > 0) continue
    const found = items.length > 1 ? items : sequence(items[0] ?? "")
    return found && { start, end: at + 1, items: found }
  }
  return undefined
}

/** `1..9`, `a..f`, both optionally with a step. */
function sequence(text: string): readonly string[] | undefined {
  const found = /^(?:(-?\d{1,9})\.\.(-?\d{1,9})|([a-zA-Z])\.\.([a-zA-Z]))(?:\.\.-?(\d{1,9}))?$/.exec(text)
  if (!found) return undefined
  const [, first = "", last = "", start = "", end = "", step = "1"] = found
  const [low, high] = start === "" ? [Number(first), Number(last)] : [start.charCodeAt(0), end.charCodeAt(0)]
  const by = Math.max(1, Number(step))
  const count = Math.floor(Math.abs(high - low) / by) + 1
  // More values are too many for the word as well.
  if (count > MAX_WORDS) return undefined
  const numbers = Array.from({ length: count }, (_, index) => (low <= high ? low + index * by : low - index * by))
  const width = /^-?0\d|\.\.-?0\d/.test(text) ? Math.max(first.length, last.length) : 0
  return numbers.map((number) =>
    start === "" ? String(number).padStart(width, "0") : `\\${String.fromCharCode(number)}`,
  )
}
