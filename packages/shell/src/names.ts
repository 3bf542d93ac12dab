import type { ArrayValue, Word } from "unbash"
import { MAX_VALUE_LENGTH, MAX_VALUES } from "./limits.ts"
import type { Notes } from "./notes.ts"
import { isNumber, isQuiet, isRun, isInfluential } from "./variables.ts"
import { type Argument, HOLE, wordArgument } from "./words/argument.ts"
import { isMade, isOptionLike, variants } from "./words/doubt.ts"
import { alternatives } from "./words/braces.ts"
import { excerpt } from "./words/quote.ts"

/** Programs that generate text from their arguments. */
const MAKES_TEXT = /\(\s*(?:printf|echo|base64|xxd|rev|tr|openssl|perl|awk|sed)\b|`/

/** Records that a variable gets a value; undefined if it is not literal. */
export function noteValue(name: string, value: string | undefined, notes: Notes): void {
  if (isNumber(name)) notes.calculated.add(excerpt(name))
  if (isRun(name, value)) notes.unclear.add(`The shell runs what is in the value of ${name}.`)
  if (isInfluential(name) && !isQuiet(name, value))
    notes.assignments.push(value === undefined ? { name } : { name, value })
}

interface AssignmentForm {
  /** Set if the value is appended to the old one. */
  readonly isAppended?: boolean | undefined
  /** Set if the words are a text, which stays one value. */
  readonly isText?: boolean
}

/** Records that a command sets a variable. `words` are the possible values; undefined if they come from outside. */
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
  // A scalar variable gets all values of a list as one text.
  if (isText && args?.some(({ expansions }) => expansions.some((each) => each.list !== undefined)))
    noteOpen(name, notes)
  // Appended lists and named entries are not tracked.
  if ((isAppended && list === words) || (list !== words && list?.some(({ text }) => text.startsWith("["))))
    noteOpen(name, notes)
  noteValue(name, args?.length === 1 ? args[0]?.value : undefined, notes)
  noteContents(name, args, notes)
  for (const { isOutput, text } of args ?? [])
    if (isOutput && MAKES_TEXT.test(text) && isMade(text)) notes.payloads.add(excerpt(text))
}

/** Records that a loop sets a variable to one word after the other. */
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

/** Records the possible content of a variable or of `@`; undefined if it comes from outside. */
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

/** Records that a variable may have an unknown value. Returns true if that is new. */
function noteOpen(name: string, notes: Notes): boolean {
  const { size } = notes.open
  notes.open.add(name)
  if (notes.open.size > size && notes.asked.has(name)) notes.isStale = true
  return notes.open.size > size
}

/**
 * Records words that a variable may contain, whose names are determined when it is used. Returns true if one is new.
 */
export function noteWords(name: string, args: readonly Argument[], notes: Notes): boolean {
  const words = new Map(notes.contents.get(name))
  const { size } = words
  for (const word of args) words.set(word.text, word)
  if (words.size > MAX_VALUES) return noteOpen(name, notes)
  notes.contents.set(name, words)
  if (words.size > size && notes.asked.has(name)) notes.isStale = true
  return words.size > size
}

/** Returns the directories of the files that a pattern matches. */
function directoryOf({ value, expansions, prefix, isOutput }: Argument): string[] {
  const isPattern = value === undefined && expansions.length === 0 && !isOutput
  return isPattern && prefix.includes("/") ? [prefix.slice(0, prefix.lastIndexOf("/") + 1)] : []
}
