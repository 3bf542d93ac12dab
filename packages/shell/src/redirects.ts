import type { Redirection } from "unbash"
import type { ReadState } from "./call.ts"
import { resolved } from "./directories.ts"
import { noteAssigned } from "./names.ts"
import { type Notes, unknownDirectory } from "./notes.ts"
import { noteShown } from "./files-by-words.ts"
import { scan } from "./scan.ts"
import { type Argument, wordArgument } from "./words/argument.ts"
import { excerpt } from "./words/quote.ts"

/** Records the files of redirections, and reads their substitutions. */
export function noteRedirects(redirects: readonly Redirection[], state: ReadState, notes: Notes): void {
  for (const redirect of redirects) {
    scan(redirect, state, notes)
    if (redirect.descriptor?.type === "FileDescriptorVariable") noteAssigned(redirect.descriptor.name, undefined, notes)
    if (redirect.type !== "Redirect") continue
    if (!redirect.target) {
      notes.unclear.add("A redirection has no file.")
      continue
    }
    const target = wordArgument(redirect.target)
    const { operator } = redirect
    if (operator === "<&" || (operator === ">&" && /^(?:\d+-?|-)$/.test(target.value ?? ""))) continue
    if (operator !== ">" && operator !== ">>" && operator !== ">|" && operator !== "<")
      noteRead(operator, target, state, notes)
    if (operator === "<") noteRead(operator, target, state, notes)
    else noteWrite(target, state, notes)
  }
}

const DEVICE = /^\/dev\/(?:null|zero|full|random|urandom|tty|std(?:in|out|err)|fd\/\d+)$/

/** Records the file of an input redirection. */
function noteRead(operator: string, target: Argument, state: ReadState, notes: Notes): void {
  if (operator === "<" || operator === "<>") noteShown(target, state, notes)
}

/** Records a file that is read. */
export function noteReadPath(path: string, state: ReadState, notes: Notes): void {
  if (DEVICE.test(path) || isConnection(path, notes)) return
  const paths = resolved(path, state.directories)
  if (!paths) notes.unclear.add(unknownDirectory(path))
  for (const found of paths ?? [path]) notes.redirects.push({ path: found, mode: "read" })
}

/** Records the file of an output redirection, whose word must be one file. */
function noteWrite(target: Argument, state: ReadState, notes: Notes): void {
  if (isSubstitution(target)) return
  const path = filePath(target)
  if (path === undefined) notes.unclear.add(`The file ${excerpt(target.text)} that would be written is not literal.`)
  else noteWrittenPath(path, state, notes)
}

/** Records a file that is written. */
export function noteWrittenPath(path: string, state: ReadState, notes: Notes): void {
  if (DEVICE.test(path) || isConnection(path, notes)) return
  const paths = resolved(path, state.directories)
  if (!paths) notes.unclear.add(unknownDirectory(path))
  for (const found of paths ?? [path]) notes.redirects.push({ path: found, mode: "write" })
}

/** Returns true for a process substitution. */
export function isSubstitution({ text }: Argument): boolean {
  return /^[<>]\(/.test(text)
}

function isConnection(path: string, notes: Notes): boolean {
  if (!/^\/dev\/(?:tcp|udp)\//.test(path)) return false
  notes.unclear.add(`The redirection ${excerpt(path)} opens a connection.`)
  return true
}

const DIRECTORY_VARIABLES: Readonly<Record<string, string>> = { HOME: "~", PWD: "." }

/** Returns the path of a word, with `~/` for the home directory. */
export function filePath({ value, text, skeleton, expansions }: Argument): string | undefined {
  if (value === undefined) {
    const [first, ...others] = expansions
    const isPlain = others.length === 0 && /^\ue000\/[^\ue000*?[{]+$/.test(skeleton)
    const state =
      first && isPlain && first.given.length === 0 && !first.cut ? DIRECTORY_VARIABLES[first.name] : undefined
    return state && `${state}${skeleton.slice(1)}`
  }
  if (text.startsWith("~")) return text === "~" || text.startsWith("~/") ? value : undefined
  return value.startsWith("~") ? `./${value}` : value
}
