import { parse, type ParsedScript, type SyntaxNode } from "unbash"
import type { ReadState } from "./call.ts"
import { type Directories, either } from "./directories.ts"
import { MAX_DEPTH, MAX_HERE_DOCUMENTS, MAX_NESTED_LENGTH, MAX_STEPS, TOO_DEEP, TOO_MANY_PARTS } from "./limits.ts"
import { noteAssigned, noteEach } from "./names.ts"
import { type Notes, unknownDirectory } from "./notes.ts"
import { noteRedirects } from "./redirects.ts"
import { scan, scanAll } from "./scan.ts"
import { readSimpleCommand } from "./simple-command.ts"
import { fed } from "./fed.ts"
import { relativeFiles } from "./files-by-words.ts"
import { WELL_KNOWN } from "./commands/well-known.ts"
import { wordArgument } from "./words/argument.ts"
import { pipelineNames } from "./words/output-names.ts"
import { excerpt } from "./words/quote.ts"

/** Reads a script into the notes. Returns the directories in which it may end. */
export function readScript(script: string, state: ReadState, notes: Notes): Directories {
  if (state.depth > MAX_DEPTH) {
    notes.unclear.add(TOO_DEEP)
    return undefined
  }
  notes.nestedLength += script.length
  if (notes.nestedLength > MAX_NESTED_LENGTH) {
    notes.unclear.add("The command has too much within scripts.")
    return undefined
  }
  if (script.split("<<").length > MAX_HERE_DOCUMENTS) {
    notes.unclear.add("The command has too many here-documents.")
    return undefined
  }
  const tree = parse(script)
  const { length } = notes.commands
  const after = walkScript(tree, state, notes)
  const isBlank = script.split("\n").every((line) => /^[ \t]*(?:#|$)/.test(line))
  if (notes.commands.length === length && !isBlank) notes.unclear.add(`No command was found in ${excerpt(script)}.`)
  return after
}

export function walkScript(script: ParsedScript, state: ReadState, notes: Notes): Directories {
  for (const { message } of script.errors ?? []) notes.unclear.add(`The command could not be parsed: ${message}.`)
  return sequence(script.commands, state, notes)
}

/** Commands in sequence. Each one runs whether or not the previous one succeeded. */
function sequence(nodes: readonly SyntaxNode[], state: ReadState, notes: Notes): Directories {
  let { directories } = state
  for (const node of nodes) directories = either(directories, walk(node, { ...state, directories }, notes))
  return directories
}

/** Reads a syntax node. Returns the directories in which it ends if it succeeds. */
export function walk(node: SyntaxNode, state: ReadState, notes: Notes): Directories {
  if (++notes.steps > MAX_STEPS) {
    notes.unclear.add(TOO_MANY_PARTS)
    return undefined
  }
  const here = state.directories
  switch (node.type) {
    case "Script":
      return walkScript(node, state, notes)
    case "Statement": {
      const after = walk(node.command, node.background ? unsure(state) : state, notes)
      return node.background ? here : after
    }
    case "CompoundList":
      return sequence(node.commands, state, notes)
    case "Command":
      return readSimpleCommand(node, state, notes)
    case "Pipeline": {
      const [only, ...others] = node.commands
      if (only && others.length === 0) return walk(only, state, notes)
      return readPipeline(node.commands, state, notes)
    }
    case "AndOr":
      return chain(node.commands, node.operators, state, notes)
    case "Subshell":
      walk(node.body, unsure(state), notes)
      return here
    case "BraceGroup":
      return walk(node.body, state, notes)
    case "Redirected": {
      const after = walk(node.command, fed(node.redirects, state, notes), notes)
      noteRedirects(node.redirects, state, notes)
      return after
    }
    case "If": {
      const branches = [node, ...node.elif]
      let [untaken, after] = [here, here]
      for (const branch of branches) {
        const clause = walk(branch.clause, { ...state, directories: untaken }, notes)
        untaken = either(untaken, clause)
        after = either(after, walk(branch.then, { ...unsure(state), directories: clause }, notes))
      }
      if (node.else) after = either(after, walk(node.else, { ...unsure(state), directories: untaken }, notes))
      return either(after, untaken)
    }
    case "Case": {
      scan(node.word, state, notes)
      let after = here
      for (const item of node.items) {
        scanAll(item.pattern, state, notes)
        after = either(after, walk(item.body, { ...unsure(state), directories: after }, notes))
      }
      return after
    }
    case "For":
    case "Select": {
      const name = node.name.text
      const isSure = notes.sure.has(name) || node.wordlist?.some((word) => !wordArgument(word).isSplit) === true
      notes.sure.add(name)
      noteEach(name, node.wordlist, notes)
      scanAll(node.wordlist ?? [], state, notes)
      const after = loop([node.body], state, notes)
      if (!isSure) notes.sure.delete(name)
      return after
    }
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update]) if (part) scan(part, state, notes)
      return loop([node.body], state, notes)
    case "While":
      return loop([node.clause, node.body], state, notes)
    case "Function":
      return readFunction(node, state, notes)
    case "Coproc":
      if (node.name) noteAssigned(node.name.text, undefined, notes)
      walk(node.body, state, notes)
      return here
    case "TestCommand":
    case "ArithmeticCommand":
      if (state.dialect === "sh") notes.unclear.add("A POSIX shell reads [[ and (( in its own way, as commands.")
      scan(node, state, notes)
      return here
    default:
      notes.unclear.add(`There is something unknown in the command: ${node.type}.`)
      return undefined
  }
}

/** For something that may not run, or runs in a subshell. */
function unsure(state: ReadState): ReadState {
  return { ...state, isUnsure: true }
}

/** `xargs` turns its input into words. */
function readPipeline(commands: readonly SyntaxNode[], state: ReadState, notes: Notes): Directories {
  const names = commands.map((command) => (command.type === "Command" ? command.name?.value : undefined))
  const last = names.lastIndexOf("xargs")
  const outputs = pipelineNames(commands.slice(0, -1), state.feed, notes)
  for (const [index, command] of commands.entries()) {
    const isRead = state.isRead === true || index < last
    walk(command, { ...unsure(state), isRead, feed: index === 0 ? state.feed : outputs[index - 1] }, notes)
  }
  return state.directories
}

function chain(
  commands: readonly SyntaxNode[],
  operators: readonly ("&&" | "||")[],
  state: ReadState,
  notes: Notes,
): Directories {
  let [reached, anywhere] = [state.directories, state.directories]
  for (const [index, command] of commands.entries()) {
    const isElse = operators[index - 1] === "||"
    const after = walk(
      command,
      { ...(index > 0 ? unsure(state) : state), directories: isElse ? anywhere : reached },
      notes,
    )
    anywhere = either(anywhere, after)
    reached = isElse ? either(reached, after) : after
  }
  return operators.length === 0 ? reached : anywhere
}

/** If the body changes the directory, a relative name means another file in each iteration. */
function loop(parts: readonly SyntaxNode[], state: ReadState, notes: Notes): Directories {
  const { moves } = notes
  notes.goesBack = true
  const from = notes.redirects.length
  let { directories } = state
  for (const part of parts) directories = walk(part, { ...unsure(state), directories }, notes)
  const isStill = moves === notes.moves || String(directories) === String(state.directories)
  if (!isStill) for (const path of relativeFiles(from, notes)) notes.unclear.add(unknownDirectory(path))
  return isStill ? state.directories : undefined
}

function readFunction(node: Extract<SyntaxNode, { type: "Function" }>, state: ReadState, notes: Notes): Directories {
  const name = node.name.text
  if (!/^[\w:.-]+$/.test(name)) notes.unclear.add(`The function name ${excerpt(name)} is not a plain word.`)
  if (WELL_KNOWN.has(name)) notes.unclear.add(`A function takes the place of the command ${name}.`)
  if (!notes.functions.has(name) && notes.asked.has(`${name}()`)) notes.isStale = true
  notes.functions.add(name)
  notes.goesBack = true
  // It runs wherever it is called.
  const from = notes.redirects.length
  const { moves } = notes
  walk(node.body, unsure(state), notes)
  for (const path of relativeFiles(from, notes)) notes.writtenLater.add(path)
  return moves === notes.moves ? state.directories : undefined
}
