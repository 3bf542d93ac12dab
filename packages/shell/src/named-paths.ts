import type { ReadState } from "./call.ts"
import { makes, operandless, TAKES_NO_PATHS } from "./commands/no-paths.ts"
import { optionValue } from "./commands/options.ts"
import { type Directories, isAnchored, moved, resolved } from "./directories.ts"
import { literalDirectory, notePattern } from "./files-by-words.ts"
import type { Notes } from "./notes.ts"
import { filePath } from "./redirects.ts"
import { type Argument, behind, HOLE, literal } from "./words/argument.ts"
import { namesOf } from "./words/names.ts"
import { directoryOf, literalOf } from "./words/pattern.ts"
import { excerpt } from "./words/quote.ts"

/** Positions in a word at which a path may begin: `--out=/a`, `-I/a`, `a.txt:/a`, `file=@/a`, `{/a,/b}`. */
const WITHIN = /(?:[=:@,;{]|^-[A-Za-z]+)(?=(?:\/|~\/|\.\.(?:\/|$))[^=:@,;{}]*)/g
const STARTS = /^(?:\/|~\/|\.\.(?:\/|$))/
const ENDS = /[:@,;{}]/

/** Options that set the working directory of a program, to which its other words are relative. */
const DIRECTORY_OPTION = /^(?:-C|--(?:prefix|cwd|directory|dir)(?:=|$))/

/**
 * Records words of a program that may be paths, as a whole or in `--option=` and the like. Only the file system knows
 * if such a file exists.
 */
export function noteNamed(name: string, args: readonly Argument[], state: ReadState, notes: Notes): void {
  if (TAKES_NO_PATHS.has(name) && !state.isRead) return
  const told = operandless(name, args)
  const option = optionValue(told, DIRECTORY_OPTION)
  const path = option && filePath(option)
  // For some programs these letters mean something else, so both directories count.
  const places = [state.directories, ...(path === undefined ? [] : [moved(path, state.directories)])]
  const mayBeMade = makes(name, told)
  for (const [index, word] of told.entries())
    noteWord(word, (text) => places.forEach((each) => notePath(text, each, notes, mayBeMade(index))), state, notes)
}

/** Records the value of an assignment, which a program may use as the path of a file that it creates. */
export function noteSetting(value: Argument, state: ReadState, notes: Notes): void {
  noteNamed("", [withoutPatterns(value)], state, notes)
}

/** Returns the word without pathname expansion. */
function withoutPatterns(word: Argument): Argument {
  const patterns = word.holes.map((hole) => (hole.type === "pattern" ? hole.pattern : undefined))
  if (patterns.length === 0 || patterns.includes(undefined)) return word
  return literal(word.skeleton.split(HOLE).reduce((front, piece, index) => `${front}${patterns[index - 1]}${piece}`))
}

/** Records the parts of a word that may be paths. */
function noteWord(word: Argument, note: (text: string) => void, state: ReadState, notes: Notes): void {
  // The word itself, and the parts after `--option=` and the like in its literal beginning.
  for (const each of [word, ...partsOf(word)]) {
    if (isElsewhere(each)) notes.unclear.add(`What ${excerpt(each.text)} names is not known.`)
    const { names } = namesOf(each, notes)
    for (const name of names) {
      const path = literalOf(name)
      if (path === undefined) notePattern(name, "maybe", state, notes)
      for (const text of wordTexts(path ?? directoryOf(name))) note(text)
    }
  }
  if (word.value !== undefined) return
  const { value: directory = "." } = literalDirectory(word)
  if (directory !== ".") note(directory)
  for (const text of wordTexts(word.skeleton)) if (!text.includes(HOLE)) note(text)
}

/** Returns the part after the last mark in the literal beginning of a word. */
function partsOf(word: Argument): readonly Argument[] {
  const front = word.value === undefined ? /^.*[=:@,]|^-[A-Za-z]+/s.exec(word.prefix)?.[0] : undefined
  return front === undefined ? [] : [behind(word, front.length)]
}

/** Returns true if a word names another directory by a variable of the shell or a tilde. */
function isElsewhere({ text, expansions }: Argument): boolean {
  if (/^~(?:-|\+\d|\d|[a-z_][\w.-]*(?:$|\/))/.test(text)) return true
  return expansions.some(({ name, part }) => {
    if (name === "OLDPWD" || name === "DIRSTACK") return true
    const operation = part?.operation
    if ((name !== "HOME" && name !== "PWD") || !operation) return false
    return operation.type !== "Remove" || operation.operator !== "##"
  })
}

/** Positions in a word that are tried up to the end of the word; later ones only up to the next position. */
const MAX_ENDS = 32

/** Returns a word, and the texts that begin within it. */
function wordTexts(text: string): readonly string[] {
  const starts = Array.from(text.matchAll(WITHIN), ({ index, 0: { length } }) => index + length)
  const within = starts.map((start, index) => text.slice(start, index < MAX_ENDS ? undefined : starts[index + 1]))
  const ways = [text, ...within].flatMap((way) => [way, way.split(ENDS, 1)[0] ?? ""])
  // A single slash is more often a separator than a path.
  return [...new Set(ways)].filter((way, index) => way !== "" && (index === 0 || way !== "/"))
}

/** A name in the working directory, which may be a link. */
const NAME = /^[^\s/]{1,255}$/u

function notePath(path: string, directories: Directories, notes: Notes, mayBeMade: boolean): void {
  if (path.startsWith("-") || path.startsWith("/dev/") || path.length > 4096 || path.includes("\0")) return
  const isPath = STARTS.test(path) || path.includes("/") || path === "~"
  if (!isPath && !NAME.test(path)) return
  for (const found of resolved(path, directories) ?? (isAnchored(path) ? [path] : [])) {
    notes.named.add(found)
    if (isPath && mayBeMade) notes.made.add(found)
  }
}
