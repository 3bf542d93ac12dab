import type { ArrayValue, Word } from "unbash"
import { MAX_VALUE_LENGTH, MAX_VALUES } from "./limits.ts"
import type { Notes } from "./notes.ts"
import { isNumber, isQuiet, isRun, isTelling } from "./variables.ts"
import { type Argument, HOLE, wordArgument } from "./words/argument.ts"
import { isMade, isOptionLike, variants } from "./words/doubt.ts"
import { alternatives } from "./words/braces.ts"
import { excerpt } from "./words/quote.ts"

/** Programs that make a text of what they are told, and not of what is there. */
const MAKES_TEXT = /\(\s*(?:printf|echo|base64|xxd|rev|tr|openssl|perl|awk|sed)\b|`/

/** Notes that a variable gets a value; undefined where it is not literal. */
export function noteValue(name: string, value: string | undefined, notes: Notes): void {
  if (isNumber(name)) notes.calculated.add(excerpt(name))
  if (isRun(name, value)) notes.unclear.add(`The shell runs what is in the value of ${name}.`)
  if (isTelling(name) && !isQuiet(name, value)) notes.assignments.push(value === undefined ? { name } : { name, value })
}

interface AssignmentForm {
  /** The value is put behind the one before. */
  readonly isAppended?: boolean | undefined
  /** The words are a text, which stays one value. */
  readonly isText?: boolean
}

/** Notes that a command gives a variable a value; `words` is what it may be, undefined what is read from elsewhere. */
export function noteAssigned(
  name: string,
  words: readonly Word[] | ArrayValue | undefined,
  notes: Notes,
  { isAppended = false, isText = false }: AssignmentForm = {},
): void {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    notes.unclear.add(`The variable name ${excerpt(name)} is not literal.`)
    return
  }
  const list = words && "elements" in words ? words.elements : words
  const args = list?.flatMap((word) => alternatives(word).map(wordArgument))
  // A plain variable gets all values of one as a single text.
  if (isText && args?.some(({ expansions }) => expansions.some((each) => each.list !== undefined)))
    noteOpen(name, notes)
  // What is put together is not followed, nor are entries that are named.
  if ((isAppended && list === words) || (list !== words && list?.some(({ text }) => text.startsWith("["))))
    noteOpen(name, notes)
  noteValue(name, args?.length === 1 ? args[0]?.value : undefined, notes)
  noteContents(name, args, notes)
  for (const { isOutput, text } of args ?? [])
    if (isOutput && MAKES_TEXT.test(text) && isMade(text)) notes.payloads.add(excerpt(text))
}

/** Notes that a loop gives a variable one word after the other. */
export function noteEach(name: string, words: readonly Word[] | undefined, notes: Notes): void {
  noteAssigned(name, words, notes)
  const found = notes.contents.get(name)
  if (!found) return
  const each = [...found].map(([text, word]) => {
    const [hole] = word.holes
    const isWhole = hole?.type === "output" && word.skeleton === HOLE
    return [text, isWhole ? { ...word, holes: [{ type: "each", of: hole } as const] } : word] as const
  })
  notes.contents.set(name, new Map(each))
}

/** Notes what a variable, or `@`, may hold; undefined: what is read from elsewhere. */
export function noteContents(name: string, args: readonly Argument[] | undefined, notes: Notes): void {
  const { size } = notes.dubious
  if (!args || args.some((argument) => isOptionLike(argument, notes))) notes.dubious.add(name)
  const values = notes.values.get(name) ?? new Set()
  const count = values.size
  notes.values.set(name, values)
  for (const text of args?.flatMap((argument) => [...variants(argument, notes), ...directoryOf(argument)]) ?? []) {
    if (text.length <= MAX_VALUE_LENGTH && values.size < MAX_VALUES) values.add(text)
    else if (!values.has(text)) notes.dubious.add(name)
  }
  const isNew = args ? noteWords(name, args, notes) : noteOpen(name, notes)
  if (notes.asked.has(name) && (isNew || notes.dubious.size > size || values.size > count)) notes.isStale = true
}

/** Notes that a variable may hold what is not known; returns whether that is new. */
function noteOpen(name: string, notes: Notes): boolean {
  const { size } = notes.open
  notes.open.add(name)
  if (notes.open.size > size && notes.asked.has(name)) notes.isStale = true
  return notes.open.size > size
}

/** Notes words that a variable may be, whose names are looked for when it is used; returns whether one is new. */
export function noteWords(name: string, args: readonly Argument[], notes: Notes): boolean {
  const words = new Map(notes.contents.get(name))
  const { size } = words
  for (const word of args) words.set(word.text, word)
  if (words.size > MAX_VALUES) return noteOpen(name, notes)
  notes.contents.set(name, words)
  if (words.size > size && notes.asked.has(name)) notes.isStale = true
  return words.size > size
}

/** Where the files are that a pattern stands for. */
function directoryOf({ value, expansions, prefix, isOutput }: Argument): string[] {
  const isPattern = value === undefined && expansions.length === 0 && !isOutput
  return isPattern && prefix.includes("/") ? [prefix.slice(0, prefix.lastIndexOf("/") + 1)] : []
}
