import { parse, type ParsedScript, type SyntaxNode } from "unbash"
import type { Place } from "./call.ts"
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
export function readScript(script: string, place: Place, notes: Notes): Directories {
  if (place.depth > MAX_DEPTH) {
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
  const after = walkScript(tree, place, notes)
  const isBlank = script.split("\n").every((line) => /^[ \t]*(?:#|$)/.test(line))
  if (notes.commands.length === length && !isBlank) notes.unclear.add(`No command was found in ${excerpt(script)}.`)
  return after
}

export function walkScript(script: ParsedScript, place: Place, notes: Notes): Directories {
  for (const { message } of script.errors ?? []) notes.unclear.add(`The command could not be parsed: ${message}.`)
  return sequence(script.commands, place, notes)
}

/** Commands in sequence. Each one runs whether or not the previous one succeeded. */
function sequence(nodes: readonly SyntaxNode[], place: Place, notes: Notes): Directories {
  let { directories } = place
  for (const node of nodes) directories = either(directories, walk(node, { ...place, directories }, notes))
  return directories
}

/** Reads a syntax node. Returns the directories in which it ends if it succeeds. */
export function walk(node: SyntaxNode, place: Place, notes: Notes): Directories {
  if (++notes.steps > MAX_STEPS) {
    notes.unclear.add(TOO_MANY_PARTS)
    return undefined
  }
  const here = place.directories
  switch (node.type) {
    case "Script":
      return walkScript(node, place, notes)
    case "Statement": {
      const after = walk(node.command, node.background ? unsure(place) : place, notes)
      return node.background ? here : after
    }
    case "CompoundList":
      return sequence(node.commands, place, notes)
    case "Command":
      return readSimpleCommand(node, place, notes)
    case "Pipeline": {
      const [only, ...others] = node.commands
      if (only && others.length === 0) return walk(only, place, notes)
      return readPipeline(node.commands, place, notes)
    }
    case "AndOr":
      return chain(node.commands, node.operators, place, notes)
    case "Subshell":
      walk(node.body, unsure(place), notes)
      return here
    case "BraceGroup":
      return walk(node.body, place, notes)
    case "Redirected": {
      const after = walk(node.command, fed(node.redirects, place, notes), notes)
      noteRedirects(node.redirects, place, notes)
      return after
    }
    case "If": {
      const branches = [node, ...node.elif]
      let [untaken, after] = [here, here]
      for (const branch of branches) {
        const clause = walk(branch.clause, { ...place, directories: untaken }, notes)
        untaken = either(untaken, clause)
        after = either(after, walk(branch.then, { ...unsure(place), directories: clause }, notes))
      }
      if (node.else) after = either(after, walk(node.else, { ...unsure(place), directories: untaken }, notes))
      return either(after, untaken)
    }
    case "Case": {
      scan(node.word, place, notes)
      let after = here
      for (const item of node.items) {
        scanAll(item.pattern, place, notes)
        after = either(after, walk(item.body, { ...unsure(place), directories: after }, notes))
      }
      return after
    }
    case "For":
    case "Select": {
      const name = node.name.text
      const isSure = notes.sure.has(name) || node.wordlist?.some((word) => !wordArgument(word).isSplit) === true
      notes.sure.add(name)
      noteEach(name, node.wordlist, notes)
      scanAll(node.wordlist ?? [], place, notes)
      const after = loop([node.body], place, notes)
      if (!isSure) notes.sure.delete(name)
      return after
    }
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update]) if (part) scan(part, place, notes)
      return loop([node.body], place, notes)
    case "While":
      return loop([node.clause, node.body], place, notes)
    case "Function":
      return readFunction(node, place, notes)
    case "Coproc":
      if (node.name) noteAssigned(node.name.text, undefined, notes)
      walk(node.body, place, notes)
      return here
    case "TestCommand":
    case "ArithmeticCommand":
      if (place.dialect === "sh") notes.unclear.add("A POSIX shell reads [[ and (( in its own way, as commands.")
      scan(node, place, notes)
      return here
    default:
      notes.unclear.add(`There is something unknown in the command: ${node.type}.`)
      return undefined
  }
}

/** For something that may not run, or runs in a subshell. */
function unsure(place: Place): Place {
  return { ...place, isUnsure: true }
}

/** `xargs` turns its input into words. */
function readPipeline(commands: readonly SyntaxNode[], place: Place, notes: Notes): Directories {
  const names = commands.map((command) => (command.type === "Command" ? command.name?.value : undefined))
  const last = names.lastIndexOf("xargs")
  const outputs = pipelineNames(commands.slice(0, -1), place.feed, notes)
  for (const [index, command] of commands.entries()) {
    const isRead = place.isRead === true || index < last
    walk(command, { ...unsure(place), isRead, feed: index === 0 ? place.feed : outputs[index - 1] }, notes)
  }
  return place.directories
}

function chain(
  commands: readonly SyntaxNode[],
  operators: readonly ("&&" | "||")[],
  place: Place,
  notes: Notes,
): Directories {
  let [reached, anywhere] = [place.directories, place.directories]
  for (const [index, command] of commands.entries()) {
    const isElse = operators[index - 1] === "||"
    const after = walk(
      command,
      { ...(index > 0 ? unsure(place) : place), directories: isElse ? anywhere : reached },
      notes,
    )
    anywhere = either(anywhere, after)
    reached = isElse ? either(reached, after) : after
  }
  return operators.length === 0 ? reached : anywhere
}

/** If the body changes the directory, a relative name means another file in each iteration. */
function loop(parts: readonly SyntaxNode[], place: Place, notes: Notes): Directories {
  const { moves } = notes
  notes.goesBack = true
  const from = notes.redirects.length
  let { directories } = place
  for (const part of parts) directories = walk(part, { ...unsure(place), directories }, notes)
  const isStill = moves === notes.moves || String(directories) === String(place.directories)
  if (!isStill) for (const path of relativeFiles(from, notes)) notes.unclear.add(unknownDirectory(path))
  return isStill ? place.directories : undefined
}

function readFunction(node: Extract<SyntaxNode, { type: "Function" }>, place: Place, notes: Notes): Directories {
  const name = node.name.text
  if (!/^[\w:.-]+$/.test(name)) notes.unclear.add(`The function name ${excerpt(name)} is not a plain word.`)
  if (WELL_KNOWN.has(name)) notes.unclear.add(`A function takes the place of the command ${name}.`)
  if (!notes.functions.has(name) && notes.asked.has(`${name}()`)) notes.isStale = true
  notes.functions.add(name)
  notes.goesBack = true
  // It runs wherever it is called.
  const from = notes.redirects.length
  const { moves } = notes
  walk(node.body, unsure(place), notes)
  for (const path of relativeFiles(from, notes)) notes.writtenLater.add(path)
  return moves === notes.moves ? place.directories : undefined
}
