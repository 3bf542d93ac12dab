import { basename } from "node:path/posix"
import type { Call, ReadState, RunOptions } from "./call.ts"
import { ruleFor } from "./commands/rules.ts"
import { WELL_KNOWN } from "./commands/well-known.ts"
import type { Directories } from "./directories.ts"
import { entered } from "./entered.ts"
import { MAX_DEPTH, MAX_STEPS, TOO_DEEP, TOO_MANY_PARTS } from "./limits.ts"
import { noteContents } from "./names.ts"
import { noteNamed, noteSetting } from "./named-paths.ts"
import type { Notes } from "./notes.ts"
import {
  noteChanged,
  noteCopied,
  noteFollowed,
  noteRestored,
  noteWithin,
  noteShown,
  noteWritten,
} from "./files-by-words.ts"
import { noteUnpacked } from "./unpacked.ts"
import { readScript } from "./walk.ts"
import { type Argument, literal } from "./words/argument.ts"
import { excerpt } from "./words/quote.ts"

interface Run {
  readonly state: ReadState
  readonly notes: Notes
  /** Leading assignments in canonical form. */
  readonly front?: readonly string[]
  readonly input?: string | undefined
  readonly via?: string
  readonly isSame?: boolean
  /** The words after brace expansion. */
  readonly spread?: readonly Argument[]
}

/** Reads the words of a simple command. Returns the directories in which it may end. */
export function runWords(words: readonly Argument[], run: Run): Directories {
  const { state, notes, front = [], via } = run
  const [first] = words
  const args = (run.spread ?? words).slice(1)
  if (!first) return state.directories
  if (state.depth > MAX_DEPTH) {
    notes.unclear.add(TOO_DEEP)
    return undefined
  }
  if (++notes.steps > MAX_STEPS) {
    notes.unclear.add(TOO_MANY_PARTS)
    return undefined
  }
  noteCommand(words, front, via, notes)
  if (front.length > 0) noteCommand(words, [], "assignment", notes)
  if (run.spread && run.spread.length !== words.length) noteCommand(run.spread, [], "braces", notes)
  if (first.value === undefined || first.value === "" || /^~(?!\/)/.test(first.text)) {
    notes.unclear.add(`The name of the command ${excerpt(first.text)} is not literal.`)
    return undefined
  }
  if (/^\/(?:proc|dev)\//.test(first.value))
    notes.unclear.add(`Which program ${excerpt(first.text)} is cannot be told from its path.`)
  const name = plainName(first.value)
  if (name !== first.value) noteCommand([literal(name), ...words.slice(1)], [], "path", notes)
  if (run.isSame) return state.directories

  const call = createCall(name, args, run)
  notes.asked.add(`${name}()`)
  if (notes.functions.has(name)) noteContents("@", args, notes)
  noteNamed(name, args, state, notes)
  const after = ruleFor(name)?.(call)
  return after ? after.directories : state.directories
}

function createCall(name: string, args: readonly Argument[], run: Run): Call {
  const { state, notes, input } = run
  const deeper = { ...state, depth: state.depth + 1 }
  return {
    ...{ name, args, state, notes, input },
    unclear: (sentence) => void notes.unclear.add(sentence),
    run: (inner: readonly Argument[], options: RunOptions = {}) =>
      void runWords(inner, { state: deeper, notes, input, via: name, ...options }),
    parse: (script, options = {}) => {
      const from = notes.commands.length
      const directories = readScript(script, { ...deeper, ...options }, notes)
      for (const [offset, command] of notes.commands.slice(from).entries())
        if (command.via === undefined) notes.commands[from + offset] = { ...command, via: name }
      return directories
    },
    writes: (file) => noteWritten(file, state, notes),
    reads: (file) => noteShown(file, state, notes),
    copies: (file, directory, isTree) => noteCopied(file, directory, isTree, state, notes),
    sets: (value) => noteSetting(value, state, notes),
    follows: (directory) => noteFollowed(directory, state, notes),
    changes: (directory = literal(".")) => noteChanged(directory, state, notes),
    changesWithin: (directory, patterns) => noteWithin(directory, patterns, state, notes),
    unpacks: (unpacking) => noteUnpacked(name, unpacking, state, notes),
    restores: (path, mode) => noteRestored(path, mode, state, notes),
    at: (directory) =>
      createCall(name, args, { ...run, state: { ...state, directories: entered(directory, state, notes) } }),
  }
}

/** Names of GNU programs with a leading `g`, as on systems with their own versions. */
const GNU =
  /^g(?=(?:cat|chmod|chown|cp|dd|env|find|install|ln|mkdir|mv|nice|nohup|rm|rmdir|sed|shred|sort|split|stdbuf|tee|time|timeout|touch|truncate|unlink|xargs)$)/

/** Returns the program's name without directory and suffix, in lower case because a file system may ignore case. */
function plainName(path: string): string {
  const name = basename(path)
    .replace(/\.(?:exe|cmd|bat|com)$/i, "")
    .replace(GNU, "")
  const lower = name.toLowerCase()
  return WELL_KNOWN.has(lower) && !WELL_KNOWN.has(name) ? lower : name
}

function noteCommand(
  words: readonly Argument[],
  front: readonly string[],
  via: string | undefined,
  notes: Notes,
): void {
  notes.commands.push({
    text: [...front, ...words.map((word) => word.text)].join(" "),
    words: words.map((word) => word.value ?? word.text),
    ...(via !== undefined && { via }),
  })
}
