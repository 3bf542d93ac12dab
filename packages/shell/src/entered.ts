import type { ReadState } from "./call.ts"
import { type Directories, enter, either } from "./directories.ts"
import { notePattern } from "./files-by-words.ts"
import type { Notes } from "./notes.ts"
import { type Argument, HOLE } from "./words/argument.ts"
import { namesOf } from "./words/names.ts"
import { literalOf } from "./words/pattern.ts"
import { excerpt } from "./words/quote.ts"

/** The root of the user's repository, which contains the working directory. */
const TOP = /^"?\$\(git rev-parse --show-toplevel(?: 2>\s?\/dev\/null)?\)"?$/

/** Records the directories that a word names for `cd`. Returns them if they are known. */
export function entered(word: Argument, state: ReadState, notes: Notes): Directories {
  if (TOP.test(word.text)) return undefined
  const { names, isOpen } = namesOf(word, notes)
  if (isOpen || names.length === 0 || mayBeEmpty(word, notes)) {
    notes.unclear.add(`Which directory ${excerpt(word.text)} names is not known.`)
    return undefined
  }
  const found = names.map((name) => {
    const path = literalOf(name)
    // `cd` without a word leads to the home directory.
    if (path === "" && word.isSplit) return enter("~", state.directories, notes)
    if (path !== undefined) return enter(path, state.directories, notes)
    notePattern(name, "enter", state, notes)
    return undefined
  })
  return found.reduce(either)
}

/** Returns true if the word is an unquoted variable that may have no value. */
function mayBeEmpty({ holes, skeleton }: Argument, notes: Notes): boolean {
  const [hole] = holes
  if (skeleton !== HOLE || hole?.type !== "variable" || hole.isQuoted) return false
  const { name, given } = hole.expansion
  return given.length === 0 && !/^(?:HOME|PWD)$/.test(name) && !notes.sure.has(name)
}
