import type { Place } from "./call.ts"
import { isAnchored, resolved } from "./directories.ts"
import type { Notes } from "./notes.ts"
import { filePath, noteRead, noteWrite } from "./redirects.ts"
import { type Argument, HOLE, literal } from "./words/argument.ts"
import { variants } from "./words/doubt.ts"
import { excerpt } from "./words/quote.ts"

/** Notes a file that a command writes by its words: no redirection, which takes its word for one file. */
export function noteWritten(file: Argument, place: Place, notes: Notes): void {
  if (filePath(file) !== undefined) return noteWrite(file, place, notes)
  noteMade(file, notes)
  for (const text of variants(file, notes)) noteWrite(literal(text), place, notes)
  if (/[{,](?:\/|~|\.\.)/.test(file.text))
    notes.unclear.add(`Which files ${excerpt(file.text)} stands for is not clear.`)
  noteChanged(literalDirectory(file), place, notes)
}

/** Notes a file that a command shows by its words; nothing where it cannot be told that it leads elsewhere. */
export function noteShown(file: Argument, place: Place, notes: Notes): void {
  if (filePath(file) !== undefined) return noteRead("<", file, place, notes)
  noteMade(file, notes)
  for (const text of variants(file, notes)) noteRead("<", literal(text), place, notes)
  const directory = literalDirectory(file)
  if (directory.value !== ".") noteRead("<", directory, place, notes)
}

/** Programs that put out what they are told, and not what is there. */
const MAKES_NAMES = /(?:\$\(|`|\|)\s*(?:printf|echo|base64|xxd|rev|tr|openssl|perl)\b/

/** A name that the command makes itself could be any. */
function noteMade(file: Argument, notes: Notes): void {
  if (file.isOutput && MAKES_NAMES.test(file.text))
    notes.unclear.add(`Which file ${excerpt(file.text)} names is not known.`)
}

/** Notes that something in the directory is written; nothing where that is not known. */
export function noteChanged(directory: Argument, place: Place, notes: Notes): void {
  const path = filePath(directory)
  for (const found of (path === undefined ? undefined : resolved(path, place.directories)) ?? [])
    notes.redirects.push({ path: found, mode: "write" })
}

/** The directory that the literal beginning of a word names; `.` where it names none. */
export function literalDirectory({ text, prefix, skeleton, expansions }: Argument): Argument {
  const isHome = text.startsWith("~/") || (expansions[0]?.name === "HOME" && skeleton.startsWith(`${HOLE}/`))
  if (isHome && !text.startsWith("~/")) return { ...literal("~"), text: "~" }
  const end = prefix.lastIndexOf("/")
  const directory = literal(end < 0 ? "." : prefix.slice(0, end) || "/")
  return isHome ? { ...directory, text: directory.value ?? "" } : directory
}

/** The relative names among the files that are written, from one of the redirects on. */
export function relativeWrites(from: number, notes: Notes): string[] {
  return notes.redirects
    .slice(from)
    .flatMap(({ path, mode }) => (mode === "write" && !/(?:^|\/)\.$/.test(path) && !isAnchored(path) ? [path] : []))
}
