import type { Command, ParsedScript, SyntaxNode } from "unbash"
import type { Notes } from "../notes.ts"
import { type Argument, behind, toArgument } from "./argument.ts"
import { escaped } from "./pattern.ts"
import { DIGITS, HERE, listing, type ListingFlag, type Names, OPEN } from "./hole.ts"
import { rawNames, union } from "./names.ts"

/** Returns the names that a script prints, one per line, if they can be determined without running it. */
export function outputNames(script: ParsedScript | undefined, notes: Notes, depth: number): Names {
  const [statement, ...others] = script?.commands ?? []
  if (!statement || others.length > 0 || statement.background || (script?.errors?.length ?? 0) > 0) return OPEN
  const { command } = statement
  return (
    pipelineNames(command.type === "Pipeline" ? command.commands : [command], undefined, notes, depth).at(-1) ?? OPEN
  )
}

/** Returns the output of each command of a pipeline. The first one reads `input`. */
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
  const segment = segmentOf(name, args, text)
  if (segment !== undefined) return { names: [segment], isOpen: false }
  if (name === "pwd") return args.length === 0 ? { names: [HERE], isOpen: false } : OPEN
  if (name === "echo" || name === "printf") return echoed(name, args, notes, depth)
  if (name === "find") return printed(args, notes, depth)
  if (name === "ls" && !words.some((word) => /^(?:-[a-zA-Z]*[lsigoZQbRF]|--)/.test(word ?? "")))
    return listed(args, notes, depth)
  const list = LISTINGS.find(({ shows, hides }) => shows.test(text) && !hides.test(text))
  return list ? { ...list.names(args, notes, depth), isSeveral: true } : OPEN
}

/** A program that prints file names. */
interface List {
  readonly shows: RegExp
  /** Options that change its output to something else. */
  readonly hides: RegExp
  readonly names: (args: readonly Argument[], notes: Notes, depth: number) => Names
}

const LISTINGS: readonly List[] = [
  { shows: /^git ls-files\b/, hides: /--format| (?:\.\.|:)/, names: trackedNames },
  {
    shows: /^git diff\b.* --name-only\b/,
    hides: /--(?:format|no-index|line-prefix|pretty|patch|raw|word-diff|submodule|relative)| -[a-zA-Z]*[puUWz]/,
    names: () => ({ names: [listing(["g"])], isOpen: false }),
  },
  {
    shows: /^git grep\b.*(?: -[a-zA-Z]*l[a-zA-Z]*|--files-with-matches|--name-only)(?: |$)/,
    hides: /--no-index|--open|--break|--heading| (?:\.\.|:)/,
    names: () => ({ names: [listing(["g"])], isOpen: false }),
  },
  {
    shows: /^[ef]?grep\b.*(?: -[a-zA-Z]*[lL][a-zA-Z]*|--files-with(?:out)?-match(?:es)?)(?: |$)/,
    hides: /--label|--null-data|--color/,
    names: (args, notes, depth) => {
      const isFollowing = args.some(({ prefix }) => /^-[a-zA-Z]*R|^--dereference/.test(prefix))
      return matchedNames(args, isFollowing ? [] : ["f"], notes, depth)
    },
  },
  {
    shows: /^rg\b.*(?: -[a-z]*l[a-z]*|--files|--files-with(?:out)?-match(?:es)?)(?: |$)/,
    hides: /--(?!files|hidden|no-ignore|glob|iglob|type|ignore-case|fixed-strings|sort|max-depth)[a-z]| -[a-zA-Z]*L/,
    names: (args, notes, depth) => {
      const isAll = args.some(({ prefix }) => /^-[a-zA-Z]*[.u]|^--hidden|^(?:-g|--glob)/.test(prefix))
      return matchedNames(args, isAll ? ["f"] : ["f", "v"], notes, depth)
    },
  },
  {
    shows: /^(?:fd|fdfind)(?: |$)/,
    hides: / -[a-zA-Z]*[xXlL]|--(?!hidden|no-ignore|extension|type|max-depth|exclude|glob|full-path)[a-z]/,
    names: fdNames,
  },
]

/** The output of `git ls-files`, limited by patterns without a directory. */
function trackedNames(args: readonly Argument[]): Names {
  const patterns = args.slice(1).filter(({ prefix }) => !prefix.startsWith("-"))
  const names = patterns.map(({ value }) => /^(?:\*\*\/)?(\*\.?[\w.-]*)$/.exec(value ?? "")?.[1])
  const known = names.filter((name) => name !== undefined)
  const isNarrow = known.length > 0 && known.length === names.length
  return { names: (isNarrow ? known : ["*"]).map((name) => listing(["g"], name)), isOpen: false }
}

/** The output of a search: its file operands, and files below its directory operands. */
function matchedNames(args: readonly Argument[], flags: readonly ListingFlag[], notes: Notes, depth: number): Names {
  const isPattern = (index: number) => /^(?:-[a-zA-Z]*[ef]|--regexp|--file)$/.test(args[index]?.value ?? "")
  const hasPattern = args.some(({ prefix }, index) => isPattern(index) || /^--(?:files$|regexp=|file=)/.test(prefix))
  const operands = args.filter(({ prefix }, index) => !prefix.startsWith("-") && !isPattern(index - 1))
  const places = hasPattern ? operands : operands.slice(1)
  const included = args.filter(({ prefix }) => prefix.startsWith("--include="))
  const patterns = included.flatMap((word) => patternsOf(behind(word, 10), notes, depth))
  const lists = (patterns.length > 0 ? patterns : ["*"]).map((name) => listing(flags, name))
  const roots = union(places.map((state) => rawNames(state, notes, depth + 1)))
  return {
    names: [
      ...lists,
      ...roots.names.flatMap((root) => [root, ...lists.map((list) => `${root.replace(/\/+$/, "")}/${list}`)]),
    ],
    isOpen: roots.isOpen,
  }
}

/** Programs that print some of the lines that they read. */
function isFilter(name: string, words: readonly (string | undefined)[]): boolean {
  if (words.some((word) => word === undefined)) return false
  const text = words.join(" ")
  if (name === "head" || name === "tail") return /^(?:-n ?[-+]?\d+|-\d+|-q)?$/.test(text)
  if (name === "sort") return /^(?:-[urnVzhRf]+ ?)*$/.test(text)
  if (name === "uniq" || name === "tac" || name === "shuf" || name === "cat") return text === ""
  const operands = words.filter((word) => !/^-[vEFiwxaPzq]+$|^-e$/.test(word ?? ""))
  return /^[ef]?grep$/.test(name) && operands.length === 1 && !operands[0]?.startsWith("-")
}

/** Formats of `date` that could form the name of another directory. */
const MADE = /^[+.]*$|\.\.|%[nt]/

/** Returns the output of programs that print a number, a date or a name without a slash, as a pattern. */
function segmentOf(name: string, args: readonly Argument[], text: string): string | undefined {
  if (name === "date") return dateOf(args)
  if (/^(?:whoami|hostname|uname|id|tty)$/.test(name))
    return args.every(({ value }) => /^-[a-z]+$/.test(value ?? "")) ? "*" : undefined
  if (name === "nproc") return args.every(({ value }) => /^-[a-z]+$/.test(value ?? "")) ? DIGITS : undefined
  if (name === "seq") return args.every(({ value }) => /^\d+$/.test(value ?? "")) ? DIGITS : undefined
  if (/^(?:git rev-list --count [\w./]+|wc (?:-[lcw]+))$/.test(text)) return DIGITS
  return /^git rev-parse (?:--short(?:=\d+)? |--verify )*[A-Z]\w*$/.test(text) ? "[0-9a-f]*" : undefined
}

/** A date in the given format. */
function dateOf(args: readonly Argument[]): string | undefined {
  if (!args.every(({ value }) => value !== undefined && /^[\w+%:.,@ -]*$/.test(value) && !MADE.test(value))) return
  const format = args.find(({ prefix }) => prefix.startsWith("+"))?.value?.slice(1)
  if (format === undefined) return "*"
  return format.replaceAll(/%[-_0^#]?\d*:*[a-zA-Z%]/g, (field) => (/[YmdHMSsFTNjuUVWCGgy]$/.test(field) ? DIGITS : "*"))
}

/** The output of `echo` and `printf`. */
function echoed(name: string, args: readonly Argument[], notes: Notes, depth: number): Names {
  const [first, ...others] = args
  const isFormat = name === "printf"
  if (isFormat && !/^%s(?:\\n|\\0| )?$/.test(first?.value ?? "")) return OPEN
  const words = isFormat ? others : args
  const isPlain = words.every(
    ({ prefix, skeleton }) => !skeleton.includes("\\") && (isFormat || !prefix.startsWith("-")),
  )
  if (!isPlain) return OPEN
  const each = { ...union(words.map((word) => rawNames(word, notes, depth + 1))), isSeveral: words.length > 1 }
  const values = words.map(({ value }) => value)
  if (words.length < 2 || values.includes(undefined)) return each
  // In quotes it is one text.
  const separator = isFormat
    ? (first?.value ?? "")
        .slice(2)
        .replace(String.raw`\n`, "\n")
        .replace(String.raw`\0`, "")
    : " "
  const text = escaped(values.join(separator))
  return separator === "" ? { names: [text], isOpen: false } : { ...each, names: [...each.names, text] }
}

/** The output of `fd`. */
export function fdNames(args: readonly Argument[], notes: Notes, depth = 0): Names {
  const isAll = args.some(({ prefix }) => /^-[a-zA-Z]*[Hu]|^--hidden/.test(prefix))
  return matchedNames(args, isAll ? [] : ["v"], notes, depth)
}

/** The output of `find`. */
function printed(args: readonly Argument[], notes: Notes, depth: number): Names {
  if (args.some(({ value, prefix }) => /^-(?:printf|fprint|exec|ok|fls|files0)/.test(value ?? prefix))) return OPEN
  return foundNames(args, notes, depth)
}

/** Returns the name patterns that a word may be, quoted or not. */
function patternsOf(word: Argument, notes: Notes, depth: number): readonly string[] {
  const { names, isOpen } =
    word.value === undefined ? rawNames(word, notes, depth + 1) : { names: [word.value], isOpen: false }
  return isOpen || names.some((name) => name.includes("/")) ? ["*"] : names
}

/** The paths that `find` finds: its roots, and paths below them. */
export function foundNames(args: readonly Argument[], notes: Notes, depth = 0): Names {
  const start = args.findIndex(({ prefix }) => !/^-(?:[HLPD]|O\d?)$/.test(prefix))
  const end = args.findIndex(({ prefix }, index) => index >= start && /^[-(!]/.test(prefix))
  const roots = start < 0 ? [] : args.slice(start, end < 0 ? undefined : end)
  const tests = end < 0 ? [] : args.slice(end)
  const flags = foundFlags(args, tests)
  const lists = foundPatterns(tests).map((name) => listing(flags, name))
  const places =
    roots.length === 0 ? { names: ["."], isOpen: false } : union(roots.map((root) => rawNames(root, notes, depth + 1)))
  return {
    names: places.names.flatMap((root) => [root, ...lists.map((list) => `${root.replace(/(?<=.)\/+$/, "")}/${list}`)]),
    isOpen: places.isOpen,
    isSeveral: true,
  }
}

function foundFlags(args: readonly Argument[], tests: readonly Argument[]): ListingFlag[] {
  const isFollowing = args.some(({ value }) => value === "-L" || value === "-follow")
  const at = tests.findIndex(({ value }) => value === "-maxdepth")
  const isPlain = !isFollowing && hasPlainType(tests)
  return [
    ...(isPlain ? (["f"] as const) : []),
    ...(/^[01]$/.test(tests[at + 1]?.value ?? "") && at >= 0 ? (["1"] as const) : []),
  ]
}

/** Returns true if only plain files are found: `-type f` outside of parentheses and without an alternative. */
function hasPlainType(tests: readonly Argument[]): boolean {
  let depth = 0
  let isPlain = false
  for (const [index, { value }] of tests.entries()) {
    if (value === "(") depth++
    else if (value === ")") depth--
    else if (depth > 0) continue
    else if (/^(?:-o|-or|,)$/.test(value ?? "")) return false
    else if (
      value === "-type" &&
      tests[index + 1]?.value === "f" &&
      !/^(?:!|-not)$/.test(tests[index - 1]?.value ?? "")
    )
      isPlain = true
  }
  return isPlain
}

/** Patterns of the last names that `find` finds. */
export function foundPatterns(tests: readonly Argument[]): readonly string[] {
  const names: string[] = []
  let hasName = false
  for (const [index, { value }] of tests.entries()) {
    const isNot = /^(?:!|-not)$/.test(tests[index - 1]?.value ?? "")
    if ((value === "(" && isNot) || value === ",") return ["*"]
    if (/^(?:-o|-or)$/.test(value ?? "")) {
      if (!hasName) return ["*"]
      hasName = false
    }
    if (!/^-i?name$/.test(value ?? "") || isNot) continue
    const name = tests[index + 1]?.value ?? "*"
    hasName = true
    // Brackets match both cases.
    names.push(value === "-name" ? name : name.includes("[") ? "*" : name.replaceAll(/[a-z]/gi, "[$&]"))
  }
  return hasName ? [...new Set(names)] : ["*"]
}

/** The output of `ls`: its operands, or the names in its directories. */
function listed(args: readonly Argument[], notes: Notes, depth: number): Names {
  const operands = args.filter(({ prefix }) => !prefix.startsWith("-"))
  const has = (option: RegExp) => args.some(({ value }) => option.test(value ?? ""))
  const given = operands.map((each) => rawNames(each, notes, depth + 1))
  if (has(/^-[a-zA-Z]*d/))
    return { ...union([...given, ...(given.length === 0 ? [{ names: ["."], isOpen: false }] : [])]), isSeveral: true }
  const names = ["*", ...(has(/^-[a-zA-Z]*A/) ? [".[!.]*"] : []), ...(has(/^-[a-zA-Z]*[af]/) ? [".*"] : [])]
  return { ...union([{ names, isOpen: false }, ...given]), isSeveral: true }
}
