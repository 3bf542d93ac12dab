import type { ReadState } from "./call.ts"
import { isAnchored, resolved, START } from "./directories.ts"
import type { Notes } from "./notes.ts"
import type { ShellPattern } from "./reading.ts"
import { isSubstitution, noteReadPath, noteWrittenPath } from "./redirects.ts"
import { type Argument, HOLE, literal } from "./words/argument.ts"
import { BELOW, listing, type Names } from "./words/hole.ts"
import { namesOf, withoutVariable } from "./words/names.ts"
import { directoryOf, escaped, literalOf } from "./words/pattern.ts"
import { excerpt } from "./words/quote.ts"

/** Records the files that a command writes by a word. */
export function noteWritten(file: Argument, state: ReadState, notes: Notes): void {
  if (isSubstitution(file)) return
  noteEmpty(file, notes)
  const found = namesOf(file, notes)
  const { names, isOpen } = found
  noteOrigin(file, found, state, notes)
  for (const name of names) {
    const path = literalOf(name)
    // An empty name names no file.
    if (path === "") continue
    if (path !== undefined) noteWrittenPath(path, state, notes)
    else notePatternWithin(name, "write", state, notes)
  }
  if (!isOpen) return
  noteOpen(file, notes)
  noteChanged(literalDirectory(file), state, notes)
}

/** Records written names that were derived from other names, in a directory that may be another one. */
function noteOrigin(
  file: Argument,
  { names, sources = [], isMade = false }: Names,
  state: ReadState,
  notes: Notes,
): void {
  // These files exist and are looked up directly.
  if (!isMade && file.skeleton === HOLE && String(state.directories) === String(START)) return
  for (const name of names)
    if (sources.length > 0 && literalOf(name) === undefined) notePattern(name, isMade ? "made" : "joined", state, notes)
  for (const source of sources) noteSource(source, state, notes)
}

/** Also records a source for the start directory, in which a variable may have got its value. */
function noteSource(source: string, state: ReadState, notes: Notes): void {
  for (const each of [state, { ...state, directories: START }]) notePattern(source, "source", each, notes)
}

/**
 * Records that a file of unknown name may be written into a directory, and with `isTree` everything below a directory,
 * into it or in its place.
 */
export function noteCopied(file: Argument, directory: Argument, isTree: boolean, state: ReadState, notes: Notes): void {
  const patterns = namesOf(file, notes).names.filter((name) => literalOf(name) === undefined)
  const roots = isTree ? namesOf(file, notes).names.filter((name) => !name.includes(BELOW)) : []
  const targets = namesOf(directory, notes).names.filter((name) => !name.includes(BELOW))
  const trees = roots.map((name) => below(name, listing([])))
  for (const pattern of [...patterns, ...trees]) {
    noteSource(pattern, state, notes)
    const last = pattern.slice(pattern.lastIndexOf("/") + 1)
    for (const name of targets) notePattern(below(name, last), "joined", state, notes)
  }
}

function below(directory: string, name: string): string {
  return `${directory.replace(/\/+$/, "")}/${name}`
}

/** Records the files that a command shows by a word. */
export function noteShown(file: Argument, state: ReadState, notes: Notes): void {
  if (isSubstitution(file)) return
  noteEmpty(file, notes)
  const { names, isOpen } = namesOf(file, notes)
  for (const name of names) {
    const path = literalOf(name)
    // An empty name names no file.
    if (path === "") continue
    if (path !== undefined) noteReadPath(path, state, notes)
    else notePatternWithin(name, "read", state, notes)
  }
  if (!isOpen) return
  noteOpen(file, notes)
  const directory = literalDirectory(file)
  if (directory.value !== ".")
    noteReadPath(directory.text.startsWith("~") ? directory.text : (directory.value ?? "."), state, notes)
}

/** Records what a word names if a variable at its beginning is empty: `/etc/passwd` for `$x/etc/passwd`. */
function noteEmpty(file: Argument, notes: Notes): void {
  const rest = withoutVariable(file)
  for (const name of rest ? namesOf(rest, notes).names : []) {
    const path = literalOf(name)
    // A name directly below the root is hardly intended by a loop.
    if (path === undefined && directoryOf(name) !== "/") notes.patterns.push({ pattern: name, mode: "maybe" })
    if (path !== undefined) {
      notes.named.add(path)
      notes.made.add(path)
    }
  }
}

function noteOpen(file: Argument, notes: Notes): void {
  notes.unclear.add(`Which file ${excerpt(file.text)} names is not known.`)
}

/** Records a pattern, and the directory that contains all its matches. */
function notePatternWithin(pattern: string, mode: "read" | "write", state: ReadState, notes: Notes): void {
  notePattern(pattern, mode, state, notes)
  const directory = directoryOf(pattern).replace(/(?<=.)\/+$/, "") || "."
  if (mode === "read" && directory === ".") return
  for (const path of resolved(directory, state.directories) ?? []) notes.redirects.push({ path, mode })
}

/** Records a directory in which links are followed. */
export function noteFollowed(directory: Argument, state: ReadState, notes: Notes): void {
  for (const name of namesOf(directory, notes).names) notePattern(name, "follow", state, notes)
}

/** Records that files matching the patterns may be written below a directory. */
export function noteWithin(directory: Argument, patterns: readonly string[], state: ReadState, notes: Notes): void {
  for (const name of namesOf(directory, notes).names)
    for (const pattern of patterns) notePattern(`${name.replace(/\/+$/, "")}/${pattern}`, "within", state, notes)
}

/** Records that git writes tracked files below a path. Git's own patterns may match anywhere. */
export function noteRestored(path: Argument, mode: "restore" | "replace", state: ReadState, notes: Notes): void {
  const isPattern = path.value === undefined || /[*?[:\\]/.test(path.value)
  notePattern(isPattern ? "/" : escaped(path.value), mode, state, notes)
}

/** Records a pattern of names, which only the file system can resolve. */
export function notePattern(
  pattern: string,
  mode: ShellPattern["mode"],
  { directories }: ReadState,
  notes: Notes,
): void {
  const places = isAnchored(pattern) ? ["."] : directories?.map(escaped)
  const isSure = mode !== "maybe" && !/^(?:source|joined|restore|replace)$/.test(mode)
  if (!places && isSure) notes.unclear.add(`The directory of the files ${excerpt(pattern)} is not known.`)
  for (const found of (places && resolved(pattern, places)) ?? []) notes.patterns.push({ pattern: found, mode })
}

/** Records that something in the directory is written, if the directory is known. */
export function noteChanged(directory: Argument, state: ReadState, notes: Notes): void {
  const found = namesOf(directory, notes)
  const { names, isOpen } = found
  if (isOpen) noteOpen(directory, notes)
  noteOrigin(directory, found, state, notes)
  for (const name of names) {
    const path = literalOf(name)
    if (path === undefined) notePattern(name, "write", state, notes)
    else
      for (const found of resolved(path, state.directories) ?? []) notes.redirects.push({ path: found, mode: "write" })
  }
}

/** Returns the directory in the literal beginning of a word; `.` if it has none. */
export function literalDirectory({ text, prefix, skeleton, expansions }: Argument): Argument {
  const isHome = text.startsWith("~/") || (expansions[0]?.name === "HOME" && skeleton.startsWith(`${HOLE}/`))
  if (isHome && !text.startsWith("~/")) return { ...literal("~"), text: "~" }
  const end = prefix.lastIndexOf("/")
  const directory = literal(end < 0 ? "." : prefix.slice(0, end) || "/")
  return isHome ? { ...directory, text: directory.value ?? "" } : directory
}

/**
 * Returns the relative file names in the redirects from `from` on: all written ones, and read ones above the directory.
 */
export function relativeFiles(from: number, notes: Notes): string[] {
  return notes.redirects
    .slice(from)
    .flatMap(({ path, mode }) =>
      (mode === "write" || path.startsWith("..")) && !/(?:^|\/)\.$/.test(path) && !isAnchored(path) ? [path] : [],
    )
}
