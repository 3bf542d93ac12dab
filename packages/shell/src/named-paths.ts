import type { Place } from "./call.ts"
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

/** Where a path may begin within a word: `--out=/a`, `-I/a`, `a.txt:/a`, `file=@/a`, `{/a,/b}`. */
const WITHIN = /(?:[=:@,;{]|^-[A-Za-z]+)(?=(?:\/|~\/|\.\.(?:\/|$))[^=:@,;{}]*)/g
const STARTS = /^(?:\/|~\/|\.\.(?:\/|$))/
const ENDS = /[:@,;{}]/

/** Options that say where a program works; its other words are relative to that. */
const PLACE = /^(?:-C|--(?:prefix|cwd|directory|dir)(?:=|$))/

/**
 * Notes the words of a program that may be paths, as they stand or within `--option=` and the like. Whether there is
 * such a file, only the file system knows; what is no path at all names none.
 */
export function noteNamed(name: string, args: readonly Argument[], place: Place, notes: Notes): void {
  if (TAKES_NO_PATHS.has(name) && !place.isRead) return
  const told = operandless(name, args)
  const option = optionValue(told, PLACE)
  const path = option && filePath(option)
  // For some programs such a letter says something else: both directories count.
  const places = [place.directories, ...(path === undefined ? [] : [moved(path, place.directories)])]
  const mayBeMade = makes(name, told)
  for (const [index, word] of told.entries())
    noteWord(word, (text) => places.forEach((each) => notePath(text, each, notes, mayBeMade(index))), place, notes)
}

/** Notes the value of an assignment, which a program may take for the path of a file that it makes. */
export function noteSetting(value: Argument, place: Place, notes: Notes): void {
  noteNamed("", [withoutPatterns(value)], place, notes)
}

/** The word as it is where no patterns of file names are looked up. */
function withoutPatterns(word: Argument): Argument {
  const patterns = word.holes.map((hole) => (hole.type === "pattern" ? hole.pattern : undefined))
  if (patterns.length === 0 || patterns.includes(undefined)) return word
  return literal(word.skeleton.split(HOLE).reduce((front, piece, index) => `${front}${patterns[index - 1]}${piece}`))
}

/** Notes what of a word may be a path. */
function noteWord(word: Argument, note: (text: string) => void, place: Place, notes: Notes): void {
  // The word itself, and what begins behind `--option=` and the like in its literal beginning.
  for (const each of [word, ...partsOf(word)]) {
    if (isElsewhere(each)) notes.unclear.add(`What ${excerpt(each.text)} names is not known.`)
    const { names } = namesOf(each, notes)
    for (const name of names) {
      const path = literalOf(name)
      if (path === undefined) notePattern(name, "maybe", place, notes)
      for (const text of wordTexts(path ?? directoryOf(name))) note(text)
    }
  }
  if (word.value !== undefined) return
  const { value: directory = "." } = literalDirectory(word)
  if (directory !== ".") note(directory)
  for (const text of wordTexts(word.skeleton)) if (!text.includes(HOLE)) note(text)
}

/** What begins behind the last mark in the literal beginning of a word that is not literal. */
function partsOf(word: Argument): readonly Argument[] {
  const front = word.value === undefined ? /^.*[=:@,]|^-[A-Za-z]+/s.exec(word.prefix)?.[0] : undefined
  return front === undefined ? [] : [behind(word, front.length)]
}

/** Whether a word names a directory of its own by a variable of the shell's, or by a tilde. */
function isElsewhere({ text, expansions }: Argument): boolean {
  if (/^~(?:-|\+\d|\d|[a-z_][\w.-]*(?:$|\/))/.test(text)) return true
  return expansions.some(({ name, part }) => {
    if (name === "OLDPWD" || name === "DIRSTACK") return true
    const operation = part?.operation
    if ((name !== "HOME" && name !== "PWD") || !operation) return false
    return operation.type !== "Remove" || operation.operator !== "##"
  })
}

/** So many places within a word are looked at up to its end; behind the others up to the next one. */
const MAX_ENDS = 32

/** A word as a whole, and what begins within it. */
function wordTexts(text: string): readonly string[] {
  const starts = Array.from(text.matchAll(WITHIN), ({ index, 0: { length } }) => index + length)
  const within = starts.map((start, index) => text.slice(start, index < MAX_ENDS ? undefined : starts[index + 1]))
  const ways = [text, ...within].flatMap((way) => [way, way.split(ENDS, 1)[0] ?? ""])
  // A single slash is where something is cut more often than it is a place.
  return [...new Set(ways)].filter((way, index) => way !== "" && (index === 0 || way !== "/"))
}

/** A name of what stands here may be a link's. */
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
