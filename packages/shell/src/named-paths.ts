import type { Place } from "./call.ts"
import { operandless, TAKES_NO_PATHS } from "./commands/no-paths.ts"
import { optionValue } from "./commands/options.ts"
import { type Directories, isAnchored, moved, resolved } from "./directories.ts"
import { literalDirectory } from "./files-by-words.ts"
import type { Notes } from "./notes.ts"
import { filePath } from "./redirects.ts"
import { type Argument, HOLE } from "./words/argument.ts"
import { variants } from "./words/doubt.ts"

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
  for (const word of told) {
    for (const text of textsOf(word, notes)) for (const directories of places) notePath(text, directories, notes)
  }
}

function textsOf(word: Argument, notes: Notes): readonly string[] {
  if (word.value !== undefined) return wordTexts(filePath(word) ?? word.value)
  const path = filePath(word)
  if (path !== undefined) return [path]
  const { value: directory = "." } = literalDirectory(word)
  const written = wordTexts(word.text.includes("{") ? word.text : word.skeleton).filter((text) => !text.includes(HOLE))
  return [...(directory === "." ? [] : [directory]), ...written, ...variants(word, notes).flatMap(wordTexts)]
}

/** A word as a whole, and what begins within it. */
function wordTexts(text: string): readonly string[] {
  const within = Array.from(text.matchAll(WITHIN), ({ index, 0: { length } }) => text.slice(index + length))
  const ways = [text, ...within].flatMap((way) => [way, way.split(ENDS, 1)[0] ?? ""])
  // A single slash is where something is cut more often than it is a place.
  return [...new Set(ways)].filter((way, index) => way !== "" && (index === 0 || way !== "/"))
}

function notePath(path: string, directories: Directories, notes: Notes): void {
  if (path.startsWith("-") || path.startsWith("/dev/") || path.length > 4096 || path.includes("\0")) return
  // What stands in the project itself is of no interest here; a directory on the way may lead out of it.
  if (!STARTS.test(path) && !path.includes("/") && path !== "~") return
  for (const found of resolved(path, directories) ?? (isAnchored(path) ? [path] : [])) notes.named.add(found)
}
