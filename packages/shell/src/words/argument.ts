import type { Assignment, CommandArgument, Word, WordPart } from "unbash"
import { type Expansion, expansionOf, parameter } from "./expansion.ts"
import type { Hole } from "./hole.ts"
import { quote } from "./quote.ts"

/** A word of a command, as far as it is known before the command runs. */
export interface Argument {
  /** Canonical form: quoted uniformly if it is literal, otherwise as written. */
  readonly text: string
  /** Missing if the word is not literal. */
  readonly value?: string
  /** The literal beginning of the word. */
  readonly prefix: string
  /** The word with each expansion replaced by `\ue000`. */
  readonly skeleton: string
  /** The expansions in order. */
  readonly holes: readonly Hole[]
  /** Set if the word may become several words or none, because of an unquoted expansion. */
  readonly isSplit: boolean
  /** The variables in the word. */
  readonly expansions: readonly Expansion[]
  /** Set if the word contains a command substitution. */
  readonly isOutput: boolean
}

/** Replaces an expansion in a skeleton. */
export const HOLE = "\ue000"

interface Piece {
  readonly text: string
  readonly value: string | undefined
  readonly hole?: Hole
  readonly isSplit?: boolean
  readonly expansions?: readonly Expansion[]
  readonly isOutput?: boolean
  /** Smaller pieces of this one. */
  readonly inner?: readonly Piece[]
}

/** A literal word. */
export function literal(value: string): Argument {
  return { ...known(value), text: quote(value), value, prefix: value }
}

const known = (skeleton: string) => ({ skeleton, holes: [], isSplit: false, expansions: [], isOutput: false })

/** A word that is known only at run time. */
export function unknown(text: string, prefix = "", hole: Hole = { type: "open" }): Argument {
  return { ...known(`${prefix}${HOLE}`), text, prefix, holes: [hole], isSplit: true }
}

/** Returns the rest of a word from a position in its literal beginning. */
export function behind(word: Argument, position: number): Argument {
  const value = word.value?.slice(position)
  const isPlain = word.text.startsWith(word.prefix.slice(0, position))
  return {
    ...word,
    text: value ?? (isPlain ? word.text.slice(position) : word.text),
    ...(value !== undefined && { value }),
    prefix: word.prefix.slice(position),
    skeleton: word.skeleton.slice(position),
  }
}

export function toArgument(argument: CommandArgument): Argument {
  if (argument.type === "Word") return wordArgument(argument)
  const front = assignmentFront(argument)
  if (argument.value.type === "ArrayValue" || argument.index)
    return { ...unknown(argument.text, front), isSplit: false }
  return combine([{ text: front, value: front }, ...pieces(argument.value)], argument.text)
}

/** Returns the name of an assignment with its operator. */
export function assignmentFront({ name, append }: Assignment): string {
  return `${name}${append ? "+" : ""}=`
}

export function wordArgument(word: Word): Argument {
  if (!word.parts && !word.text.startsWith("~")) return literal(word.value)
  return combine(pieces(word), word.text)
}

function pieces(word: Word): Piece[] {
  // A word without parts contains only backslash escapes.
  if (!word.parts) return [word.text.startsWith("~") ? { text: word.text, value: word.value } : plain(word.value)]
  const home = /^~[^/]*/.exec(word.text)?.[0]
  const found = word.parts.map((part) => piece(part))
  if (home && found[0]?.value !== undefined) found[0] = { ...found[0], text: found[0].value }
  return found
}

function plain(value: string): Piece {
  return { text: quote(value), value }
}

function piece(part: WordPart, isQuoted = false): Piece {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return plain(part.value)
    case "DoubleQuoted":
    case "LocaleString": {
      const inner = part.parts.map((one) => piece(one, true))
      const value = inner.every((one) => one.value !== undefined) ? inner.map((one) => one.value).join("") : undefined
      if (value !== undefined) return plain(value)
      const expansions = inner.flatMap((one) => one.expansions ?? [])
      // "$@" and "${list[@]}" become one word per value.
      const isSplit = /\$@|\$\{[^}]*@/.test(part.text)
      const isOutput = inner.some((one) => one.isOutput === true)
      return { text: part.text, value, expansions, isSplit, inner, isOutput }
    }
    case "SimpleExpansion":
      return variable(part.text, parameter(part.text.slice(1)), isQuoted)
    case "ParameterExpansion":
      return { ...variable(part.text, expansionOf(part), isQuoted), isOutput: /\$\(|`/.test(part.text) }
    case "ArithmeticExpansion":
      return { text: part.text, value: undefined, hole: { type: "segment" } }
    case "CommandExpansion":
      return open(part.text, { type: "output", script: part.script, isQuoted }, true)
    case "ProcessSubstitution":
      return { text: part.text, value: undefined }
    case "Glob":
      return open(part.text, { type: "pattern", pattern: part.text })
    default:
      return open(part.text, { type: "open" })
  }
}

function variable(text: string, expansion: Expansion, isQuoted: boolean): Piece {
  return { ...open(text, { type: "variable", expansion, isQuoted }), expansions: [expansion] }
}

function open(text: string, hole: Hole, isOutput = false): Piece {
  return { text, value: undefined, hole, isSplit: true, ...(isOutput && { isOutput }) }
}

function combine(found: readonly Piece[], source: string): Argument {
  const fine = found.some((one) => one.inner) ? found.flatMap((one) => one.inner ?? [one]) : found
  const open = fine.findIndex((one) => one.value === undefined)
  const skeleton = fine.map((one) => one.value ?? HOLE).join("")
  if (open < 0) {
    // A tilde has its special meaning only without quotes.
    const isHome = source.startsWith("~") && found[0]?.text.startsWith("~") === true
    return isHome && !/\s/.test(skeleton) ? { ...literal(skeleton), text: skeleton } : literal(skeleton)
  }
  return {
    text: found.map((one) => one.text).join(""),
    prefix: open === 0 ? "" : skeleton.slice(0, skeleton.indexOf(HOLE)),
    skeleton,
    holes: fine.flatMap(({ value, hole }): Hole[] => (value === undefined ? [hole ?? { type: "open" }] : [])),
    isSplit: found.some((one) => one.isSplit === true),
    expansions: found.flatMap((one) => one.expansions ?? []),
    isOutput: found.some((one) => one.isOutput === true),
  }
}
