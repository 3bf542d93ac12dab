import type { Notes } from "../notes.ts"
import { type Argument, HOLE } from "./argument.ts"
import type { Expansion } from "./expansion.ts"
import { DIGITS, HERE, type Hole, HOME, type Names, OPEN } from "./hole.ts"
import { changed } from "./changed.ts"
import { outputNames } from "./output-names.ts"
import { escaped, literalOf } from "./pattern.ts"

/** Maximum number of names of a word. */
const MAX_NAMES = 128
const MAX_LENGTH = 4096
const MAX_DEPTH = 8

/** Variables that the shell or its environment set. */
const GIVEN =
  /^(?:OLDPWD|PATH|TMPDIR|SHELL|USER|LOGNAME|LANG|LC_\w+|TERM|DIRSTACK|IFS|ENV|BASH\w*|XDG_\w+|REPLY|COPROC|PIPESTATUS|FUNCNAME|_|0|-)$/
const NUMBERS = /^(?:[?#$!]|RANDOM|SRANDOM|SECONDS|UID|EUID|PPID|LINENO|EPOCHSECONDS|BASHPID)$/

/** Returns the names that a word may have as far as the command shows, relative to `~/` or `./`. */
export function namesOf(argument: Argument, notes: Notes): Names {
  const { names, isOpen, sources = [], isMade = false } = rawNames(argument, notes, 0)
  const found = names.map(placed)
  const known = found.filter((name) => name !== undefined)
  return {
    names: [...new Set(known)],
    isOpen: isOpen || known.length < found.length,
    sources: sources.map(placed).filter((name) => name !== undefined),
    isMade,
  }
}

/** Replaces a directory mark at the beginning. Returns undefined for marks elsewhere. */
function placed(name: string): string | undefined {
  const rest = name.replace(/^\/*[\ue001\ue002]/, "")
  if (/[\ue000-\ue002]/.test(rest)) return undefined
  if (rest.length === name.length) return name.startsWith("~") ? `./${name}` : name
  if (rest !== "" && !rest.startsWith("/")) return undefined
  return `${name.includes(HOME) ? "~" : "."}${rest}`
}

/** Like `namesOf`, with directory marks. */
export function rawNames(argument: Argument, notes: Notes, depth: number): Names {
  const { value, skeleton, holes } = argument
  const start = tilde(argument, notes)
  if (start === undefined || depth > MAX_DEPTH) return OPEN
  const pieces = skeleton.split(HOLE)
  if (pieces.length !== holes.length + 1 || /[\ue001-\ue003]/.test(skeleton)) return OPEN
  if (value !== undefined) return { names: [start.mark + escaped(value.slice(start.length))], isOpen: false }
  const isAlone = holes.length === 1 && pieces.every((piece) => piece === "")
  let names: readonly string[] = [start.mark + escaped((pieces[0] ?? "").slice(start.length))]
  // Words that a split ends before the last piece.
  const ended: string[] = []
  let isSeveral = false
  let isMade = false
  const sources: string[] = []
  for (const [index, hole] of holes.entries()) {
    const next = escaped(pieces[index + 1] ?? "")
    const isFront = names.length === 1 && names[0] === "" && next.startsWith("/")
    const found =
      mayBeEmpty(hole, notes) && (!isAlone || depth > 0) && !isFront
        ? withEmpty(holeNames(hole, isAlone, notes, depth))
        : holeNames(hole, isAlone, notes, depth)
    const isCut = found.isSeveral === true && !isAlone && (!("isQuoted" in hole && hole.isQuoted) || isList(hole))
    if (isCut) ended.push(...found.names, ...names.flatMap((name) => found.names.map((each) => name + each)))
    const starts = isCut ? ["", ...names] : names
    const joined = starts.flatMap((name) => found.names.map((each) => `${name}${each}${next}`))
    isSeveral ||= found.isSeveral === true
    isMade ||= found.isMade === true
    if (hole.type !== "pattern" && hole.type !== "segment") {
      const patterns = found.names.filter((name) => literalOf(name) === undefined && name !== DIGITS)
      sources.push(...(found.isMade ? [] : patterns), ...(found.sources ?? []))
      isMade ||= patterns.length > 0 && !isWhole(pieces, index)
    }
    // An unknown text in the middle of a word makes the whole word unknown.
    if (found.isOpen && !isAlone) return OPEN
    if (joined.length > MAX_NAMES || joined.some(({ length }) => length > MAX_LENGTH)) return OPEN
    if (found.isOpen) return { names: joined, isOpen: true }
    names = joined
  }
  return {
    names: [...names, ...ended],
    isOpen: false,
    ...(isSeveral && { isSeveral }),
    ...originOf({ sources, isMade }),
  }
}

/** Returns true if the hole is the whole text between two slashes. */
function isWhole(pieces: readonly string[], index: number): boolean {
  const [before = "", behind = ""] = pieces.slice(index, index + 2)
  const starts = before === "" ? index === 0 : before.endsWith("/")
  return starts && (behind === "" ? index === pieces.length - 2 : behind.startsWith("/"))
}

function originOf({
  sources = [],
  isMade = false,
}: Pick<Names, "sources" | "isMade">): Pick<Names, "sources" | "isMade"> {
  return { ...(sources.length > 0 && { sources: [...new Set(sources)] }), ...(isMade && { isMade }) }
}

/** Returns the directory of a tilde prefix and its length; undefined if it is unknown. */
function tilde(
  { text, skeleton }: Argument,
  notes: Notes,
): { readonly mark: string; readonly length: number } | undefined {
  if (!text.startsWith("~")) return { mark: "", length: 0 }
  const name = /^~[^/]*/.exec(skeleton)?.[0]
  const mark = name === "~" ? HOME : name === "~+" && !isGiven("PWD", notes) ? HERE : undefined
  return mark === undefined || name === undefined ? undefined : { mark, length: name.length }
}

/** Returns true if the hole may be empty. */
function mayBeEmpty(hole: Hole, notes: Notes): boolean {
  if (hole.type !== "variable") return hole.type === "output"
  const { name, part, isOptional } = hole.expansion
  if (part?.prefix === "#" || part?.operation?.type === "Default" || /^(?:HOME|PWD)$/.test(name)) return false
  return isOptional === true || !(notes.sure.has(name) || NUMBERS.test(name))
}

function withEmpty(found: Names): Names {
  return { ...found, names: [...new Set([...found.names, ""])] }
}

/** Returns true if the hole stands for separate words, also in quotes. */
function isList(hole: Hole): boolean {
  return hole.type === "variable" && hole.expansion.list !== undefined
}

function holeNames(hole: Hole, isAlone: boolean, notes: Notes, depth: number): Names {
  switch (hole.type) {
    case "variable": {
      const { list, part } = hole.expansion
      if (list === undefined || part?.prefix === "#")
        return split(variableNames(hole.expansion, notes, depth), hole.isQuoted, isAlone)
      // The number and order of joined values is not tracked.
      if (list === "joined" && hole.isQuoted) return OPEN
      return { ...split(variableNames(hole.expansion, notes, depth), hole.isQuoted, isAlone), isSeveral: true }
    }
    case "output":
      return split(outputNames(hole.script, notes, depth), hole.isQuoted, isAlone)
    case "pattern":
      return { names: [hole.pattern], isOpen: false }
    case "segment":
      return { names: [DIGITS], isOpen: false }
    case "names":
      return { ...hole.names, isSeveral: false }
    case "each":
      return { ...holeNames(hole.of, isAlone, notes, depth), isSeveral: false }
    case "open":
      return OPEN
  }
}

/** An unquoted value is split into words and expanded as a pattern. */
function split(found: Names, isQuoted: boolean, isAlone: boolean): Names {
  const { names, isOpen } = found
  if (isQuoted || !names.some((name) => /[\s\\]/.test(name))) return found
  const words = names.flatMap((name) => {
    const text = literalOf(name)
    return text === undefined ? [name] : text.split(/\s+/).filter((word) => word !== "")
  })
  const isKnown = words.every((word) => !word.includes("\\")) && (isAlone || words.length === names.length)
  return { ...found, names: words, isOpen: isOpen || !isKnown }
}

/** Returns the values that the command assigns to a variable, with the operation applied. */
function variableNames({ name, given, part, isOpen }: Expansion, notes: Notes, depth: number): Names {
  if (isOpen || part?.prefix === "!") return OPEN
  const operation = part?.operation
  if (part?.prefix === "#" || (NUMBERS.test(name) && !isGiven(name, notes)))
    return { names: name === "!" ? [DIGITS, ""] : [DIGITS], isOpen: false }
  if (name === "HOME" || name === "PWD") {
    if (isGiven(name, notes)) return OPEN
    if (operation === undefined) return { names: [name === "HOME" ? HOME : HERE], isOpen: false }
    return changed({ names: [name === "HOME" ? HOME : HERE], isOpen: false }, operation)
  }
  notes.asked.add(name)
  const values = notes.contents.get(name)
  const defaults = given.map((each) => rawNames(each, notes, depth + 1))
  const isDefault = operation?.type === "Default" && defaults.length > 0
  if (isDefault && operation.operator.endsWith("+")) return union([...defaults, { names: [""], isOpen: false }])
  if (isDefault && !values && !GIVEN.test(name)) return union(defaults)
  if (!values || notes.open.has(name) || GIVEN.test(name)) return OPEN
  const known = union([...values.values()].map((each) => rawNames(each, notes, depth + 1)))
  if (known.names.some((each) => each.includes(HERE))) notes.pathVariables.add(name)
  if (isDefault) return union([known, ...defaults])
  // Values of a list may be left out.
  const isList =
    operation?.type === "Slice" && (/^[@*]$/.test(part?.parameter ?? "") || /^[@*]$/.test(part?.index?.text ?? ""))
  return operation && !isList ? changed(known, operation) : known
}

/** Returns true if the command itself sets the variable. */
function isGiven(name: string, notes: Notes): boolean {
  notes.asked.add(name)
  return notes.contents.has(name) || notes.open.has(name)
}

/** Returns the word with its first variable empty; undefined if it has no variable or consists only of it. */
export function withoutVariable(word: Argument): Argument | undefined {
  const index = word.holes.findIndex((hole) => hole.type === "variable" && !/^(?:HOME|PWD)$/.test(hole.expansion.name))
  const pieces = word.skeleton.split(HOLE)
  if (index < 0 || pieces.length !== word.holes.length + 1 || word.text.startsWith("~")) return undefined
  const joined = [...pieces.slice(0, index), `${pieces[index]}${pieces[index + 1]}`, ...pieces.slice(index + 2)]
  const skeleton = joined.join(HOLE)
  if (!/^(?:\/|\.\.)/.test(skeleton)) return undefined
  const holes = word.holes.filter((_, at) => at !== index)
  return { ...word, prefix: joined[0] ?? "", skeleton, holes, ...(holes.length === 0 && { value: skeleton }) }
}

export function union(all: readonly Names[]): Names {
  const names = [...new Set(all.flatMap((each) => each.names))]
  const isOpen = all.some((each) => each.isOpen) || names.length > MAX_NAMES
  const isSeveral = all.some((each) => each.isSeveral)
  const sources = all.flatMap((each) => each.sources ?? [])
  const isMade = all.some((each) => each.isMade)
  return { names: names.slice(0, MAX_NAMES), isOpen, ...(isSeveral && { isSeveral }), ...originOf({ sources, isMade }) }
}
