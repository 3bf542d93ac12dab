import type { Command, CommandArgument, Redirection } from "unbash"
import type { Place } from "./call.ts"
import type { Directories } from "./directories.ts"
import { noteAssigned } from "./names.ts"
import type { Notes } from "./notes.ts"
import { noteRedirects } from "./redirects.ts"
import { runWords } from "./run.ts"
import { scanAll } from "./scan.ts"
import { assignmentFront, toArgument, wordArgument } from "./words/argument.ts"
import { excerpt } from "./words/quote.ts"

/** Reads a simple command: its assignments, its redirections, its words, and what it runs. */
export function readSimpleCommand(node: Command, place: Place, notes: Notes): Directories {
  const words = node.name ? [node.name, ...node.args] : node.args
  checkEnds(words, notes)
  const assignments = node.prefix.filter((part) => part.type === "Assignment")
  for (const { name, value } of assignments) {
    // Before a command it says how `read` splits, and nothing else.
    if (name === "IFS" && node.name) continue
    noteAssigned(name, value.type === "Word" ? [value] : value, notes)
  }

  const args = words.map(toArgument)
  const front = assignments.map((assignment) =>
    assignment.value.type === "Word" && !assignment.index
      ? assignmentFront(assignment) + wordArgument(assignment.value).text
      : assignment.text,
  )
  const after =
    args.length > 0 ? runWords(args, { place, notes, front, input: inputOf(node.redirects) }) : place.directories
  scanAll(assignments, place, notes)
  scanAll(words, place, notes)
  noteRedirects(node.redirects, place, notes)
  return after
}

/** Behind a process substitution the grammar may have two words where the shell has one. */
function checkEnds(words: readonly CommandArgument[], notes: Notes): void {
  let end = -1
  for (const { pos, text, end: next } of words) {
    if (pos === end) notes.unclear.add(`Where the word before ${excerpt(text)} ends is not clear.`)
    end = next
  }
}

/** The literal text that a command reads: a here-document or a here-string. */
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
