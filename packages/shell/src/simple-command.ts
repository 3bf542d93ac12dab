import type { ArrayValue, Command, CommandArgument, Redirection, Word } from "unbash"
import type { ReadState } from "./call.ts"
import type { Directories } from "./directories.ts"
import { fed } from "./fed.ts"
import { noteAssigned } from "./names.ts"
import type { Notes } from "./notes.ts"
import { noteSetting } from "./named-paths.ts"
import { noteRedirects } from "./redirects.ts"
import { runWords } from "./run.ts"
import { scanAll } from "./scan.ts"
import { type Argument, assignmentFront, toArgument, wordArgument } from "./words/argument.ts"
import { OPEN } from "./words/hole.ts"
import { alternatives } from "./words/braces.ts"
import { excerpt } from "./words/quote.ts"

/** Variables that are usually exported, so that programs see their new values. */
const EXPORTED = /^(?:TMPDIR|TMP|TEMP|XDG_\w+|NODE_\w+)$/

/** Reads a simple command: its assignments, redirections and words, and what it runs. */
export function readSimpleCommand(node: Command, around: ReadState, notes: Notes): Directories {
  const splits = node.prefix.some(
    (part) => part.type === "Assignment" && part.name === "IFS" && wordOf(part.value) !== "",
  )
  const file = fileOf(node.redirects)
  const stdin = file && { file, directories: around.directories }
  const state = { ...fed(node.redirects, around, notes), ...(splits && { feed: OPEN }), stdin }
  const words = node.name ? [node.name, ...node.args] : node.args
  checkEnds(words, notes)
  const assignments = node.prefix.filter((part) => part.type === "Assignment")
  for (const { name, value, append } of assignments) {
    // Before a command it only changes how `read` splits.
    if (name === "IFS" && node.name) continue
    if (state.isUnsure !== true && !node.name) notes.sure.add(name)
    const isText = value.type === "Word"
    noteAssigned(name, isText ? [value] : value, notes, { isAppended: append, isText })
    // The program, or each later one, finds the value in its environment.
    if (value.type === "Word" && (node.name || EXPORTED.test(name))) noteSetting(wordArgument(value), state, notes)
  }

  const args = words.map(toArgument)
  const spread = words.flatMap((word): readonly CommandArgument[] =>
    word.type === "Word" ? alternatives(word) : [word],
  )
  const front = assignments.map((assignment) =>
    assignment.value.type === "Word" && !assignment.index
      ? assignmentFront(assignment) + wordArgument(assignment.value).text
      : assignment.text,
  )
  const after =
    args.length > 0
      ? runWords(args, { state, notes, front, input: inputOf(node.redirects), spread: spread.map(toArgument) })
      : state.directories
  scanAll(assignments, state, notes)
  scanAll(words, state, notes)
  noteRedirects(node.redirects, state, notes)
  return after
}

function wordOf(value: ArrayValue | Word): string | undefined {
  return value.type === "Word" ? value.value : undefined
}

/** The file that a command reads as its input. */
function fileOf(redirects: readonly Redirection[]): Argument | undefined {
  const last = redirects.findLast(({ operator, descriptor }) => operator.startsWith("<") && !descriptor)
  return last?.type === "Redirect" && last.operator === "<" && last.target ? wordArgument(last.target) : undefined
}

/** After a process substitution the grammar may see two words where the shell sees one. */
function checkEnds(words: readonly CommandArgument[], notes: Notes): void {
  let end = -1
  for (const { pos, text, end: next } of words) {
    if (pos === end) notes.unclear.add(`Where the word before ${excerpt(text)} ends is not clear.`)
    end = next
  }
}

/** Returns the literal input of a command: a here-document or here-string. */
function inputOf(redirects: readonly Redirection[]): string | undefined {
  const last = redirects.findLast(({ type, descriptor }) => (type !== "Redirect" ? !descriptor : false))
  const isOther = redirects.some(({ type, operator }) => type === "Redirect" && operator.startsWith("<"))
  if (!last || isOther) return undefined
  if (last.type === "HereString" && last.target) return toArgument(last.target).value
  if (last.type === "HereDoc") {
    const { parts, text } = last.body
    const isLiteral = last.delimiter?.quoted === true || !/[$`\\]/.test(text)
    if (!isLiteral && parts?.some((part) => part.type !== "Literal")) return undefined
    const body = isLiteral ? text : undefined
    return last.operator === "<<-" ? body?.replaceAll(/^\t+/gm, "") : body
  }
  return undefined
}
