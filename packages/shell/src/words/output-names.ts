import type { Command, ParsedScript, SyntaxNode } from "unbash"
import type { Notes } from "../notes.ts"
import { type Argument, toArgument } from "./argument.ts"
import { HERE, type Names, OPEN } from "./hole.ts"
import { rawNames, union } from "./names.ts"

/** The names that a script puts out, one a line, where that can be told without running it. */
export function outputNames(script: ParsedScript | undefined, notes: Notes, depth: number): Names {
  const [statement, ...others] = script?.commands ?? []
  if (!statement || others.length > 0 || statement.background || (script?.errors?.length ?? 0) > 0) return OPEN
  const { command } = statement
  return (
    pipelineNames(command.type === "Pipeline" ? command.commands : [command], undefined, notes, depth).at(-1) ?? OPEN
  )
}

/** What each command of a pipeline puts out, the first with `input` to read. */
export function pipelineNames(
  commands: readonly SyntaxNode[],
  input: Names | undefined,
  notes: Notes,
  depth = 0,
): Names[] {
  const found: Names[] = []
  for (const command of commands) {
    const before = found.at(-1) ?? input ?? OPEN
    found.push(command.type === "Command" ? commandNames(command, before, notes, depth) : OPEN)
  }
  return found
}

function commandNames(command: Command, input: Names, notes: Notes, depth: number): Names {
  const isPlain = command.redirects.every(
    ({ operator, descriptor, ...rest }) =>
      operator === ">" && descriptor?.type === "FileDescriptor" && descriptor.value === 2 && "target" in rest,
  )
  const name = command.name?.value ?? ""
  if (command.prefix.length > 0 || !isPlain || notes.functions.has(name)) return OPEN
  const args = command.args.map(toArgument)
  const words = args.map(({ value }) => value)
  if (isFilter(name, words)) return input
  const text = [name, ...words.map((word) => word ?? "$")].join(" ")
  if (isSegment(name, args, text)) return { names: ["*"], isOpen: false }
  if (name === "pwd") return args.length === 0 ? { names: [HERE], isOpen: false } : OPEN
  if (name === "echo" || name === "printf") return spoken(name, args, notes, depth)
  if (name === "find") return foundNames(args, notes, depth)
  if (name === "ls" && !words.some((word) => /^(?:-[a-zA-Z]*[lsigoZQbRF]|--)/.test(word ?? "")))
    return listed(args, notes, depth)
  const isListing = LISTINGS.some(([shows, hides]) => shows.test(text) && !hides.test(text))
  return isListing ? { names: ["."], isOpen: false } : OPEN
}

/** Programs that put out names of what is below the working directory, and what makes them put out something else. */
const LISTINGS: readonly (readonly [shows: RegExp, hides: RegExp])[] = [
  [/^git ls-files\b/, /--format/],
  [
    /^git diff\b.* --name-only\b/,
    /--(?:format|no-index|line-prefix|pretty|patch|raw|word-diff|submodule)| -[a-zA-Z]*[puUWz]/,
  ],
  [
    /^git grep\b.*(?: -[a-zA-Z]*l[a-zA-Z]*|--files-with-matches|--name-only)(?: |$)/,
    /--no-index|--open|--break|--heading/,
  ],
  [
    /^[ef]?grep\b.*(?: -[a-zA-Z]*[lL][a-zA-Z]*|--files-with(?:out)?-match(?:es)?)(?: |$)/,
    /--label|--null-data|--color/,
  ],
  [
    /^rg\b.*(?: -[a-z]*l[a-z]*|--files|--files-with(?:out)?-match(?:es)?)(?: |$)/,
    /--(?!files|hidden|no-ignore|glob|iglob|type|ignore-case|fixed-strings|sort|max-depth)[a-z]/,
  ],
  [
    /^(?:fd|fdfind)(?: |$)/,
    / -[a-zA-Z]*[xXl]|--(?!hidden|no-ignore|extension|type|max-depth|exclude|glob|full-path)[a-z]/,
  ],
]

/** Programs whose output is some of the lines that they read. */
function isFilter(name: string, words: readonly (string | undefined)[]): boolean {
  if (words.some((word) => word === undefined)) return false
  const text = words.join(" ")
  if (name === "head" || name === "tail") return /^(?:-n ?[-+]?\d+|-\d+|-q)?$/.test(text)
  if (name === "sort") return /^(?:-[urnVzhRf]+ ?)*$/.test(text)
  if (name === "uniq" || name === "tac" || name === "shuf" || name === "cat") return text === ""
  const operands = words.filter((word) => !/^-[vEFiwxaPzq]+$|^-e$/.test(word ?? ""))
  return /^[ef]?grep$/.test(name) && operands.length === 1 && !operands[0]?.startsWith("-")
}

/** Formats of `date` that could be put together to another directory. */
const MADE = /^[+.]*$|\.\.|%[nt]/

/** Programs that put out a number, a date or a name without a slash. */
function isSegment(name: string, args: readonly Argument[], text: string): boolean {
  if (name === "date")
    return args.every(({ value }) => value !== undefined && /^[\w+%:.,@ -]*$/.test(value) && !MADE.test(value))
  if (/^(?:nproc|whoami|hostname|uname|id|tty)$/.test(name))
    return args.every(({ value }) => /^-[a-z]+$/.test(value ?? ""))
  if (name === "seq") return args.every(({ value }) => /^\d+$/.test(value ?? ""))
  return /^(?:git (?:rev-parse (?:--short(?:=\d+)? |--verify )*[A-Z]\w*|rev-list --count [\w./]+)|wc (?:-[lcw]+))$/.test(
    text,
  )
}

/** What is put out as it was given. */
function spoken(name: string, args: readonly Argument[], notes: Notes, depth: number): Names {
  const [first, ...others] = args
  const isFormat = name === "printf"
  if (isFormat && !/^%s(?:\\n|\\0| )?$/.test(first?.value ?? "")) return OPEN
  const words = isFormat ? others : args
  const isPlain = words.every(
    ({ prefix, skeleton }) => !skeleton.includes("\\") && (isFormat || !prefix.startsWith("-")),
  )
  return isPlain ? union(words.map((word) => rawNames(word, notes, depth + 1))) : OPEN
}

/** `find` puts out the places where it looks, with what follows. */
function foundNames(args: readonly Argument[], notes: Notes, depth: number): Names {
  if (args.some(({ value, prefix }) => /^-(?:printf|fprint|exec|ok|fls|files0)/.test(value ?? prefix))) return OPEN
  return searchedNames(args, notes, depth)
}

/** The places where `find` looks. */
export function searchedNames(args: readonly Argument[], notes: Notes, depth = 0): Names {
  const start = args.findIndex(({ prefix }) => !/^-(?:[HLPD]|O\d?)$/.test(prefix))
  const end = args.findIndex(({ prefix }, index) => index >= start && /^[-(!]/.test(prefix))
  const roots = start < 0 ? [] : args.slice(start, end < 0 ? undefined : end)
  return roots.length === 0
    ? { names: ["."], isOpen: false }
    : union(roots.map((root) => rawNames(root, notes, depth + 1)))
}

/** `ls` puts out what it was given, or what stands there. */
function listed(args: readonly Argument[], notes: Notes, depth: number): Names {
  const operands = args.filter(({ prefix }) => !prefix.startsWith("-"))
  return union([{ names: ["."], isOpen: false }, ...operands.map((each) => rawNames(each, notes, depth + 1))])
}
