import type { ShellCommand } from "@pawl/shell"

/** What a command takes away, with all that is below it, as it is written. */
export interface Removal {
  readonly path: string
  /** It may stand for several files. */
  readonly isPattern: boolean
  /** A glob: only what is called so. */
  readonly name?: string
  /** It is told where it happens, and not of which file. */
  readonly isBelowPlace: boolean
}

const REMOVERS = new Set(["rm", "mv", "unlink", "shred", "trash", "trash-put", "rmdir"])
const RUNS = new Set(["-delete", "-exec", "-execdir", "-ok", "-okdir"])
/** With one of these a name does not say what is found, or not in these very letters. */
const LOOSENS = new Set(["!", "-not", "-o", "-or", ",", "-iname"])
/** What stands for words that are read while a command runs. */
const UNTOLD = /^(?:\u2026|\{\})$/

/** What the commands remove or move away. */
export function removalsOf(commands: readonly ShellCommand[]): readonly Removal[] {
  return commands.flatMap(({ words, via }) => {
    const [name = "", ...args] = words
    if (REMOVERS.has(name) && via !== "find") return taken(name, args).map((path) => removal(path))
    const [subcommand = "", ...others] = args
    if (name === "git" && /^(?:rm|mv)$/.test(subcommand) && !args.includes("--cached"))
      // A colon says where else to look, or how.
      return taken(subcommand, others).map((path) => ({
        ...removal(path.startsWith(":") ? "…" : path),
        isBelowPlace: true,
      }))
    return name === "find" ? removalsOfFind(args) : []
  })
}

/** What it runs on what it finds may do anything to that: whether it writes at all is told by where it writes. */
function removalsOfFind(args: readonly string[]): Removal[] {
  if (!args.some((arg) => RUNS.has(arg))) return []
  const begin = args.findIndex((arg) => !/^-(?:[HLP]|O\d*)$/.test(arg))
  const from = args.slice(begin)
  const end = from.findIndex((arg) => /^[-(!]/.test(arg))
  const starts = from.slice(0, end < 0 ? from.length : end)
  const name = args.some((arg) => LOOSENS.has(arg)) ? undefined : args[args.indexOf("-name") + 1]
  return (starts.length > 0 ? starts : ["."]).map((path) => ({
    ...removal(path),
    ...(name === undefined || !args.includes("-name") ? {} : { name }),
  }))
}

/** What is moved has its target as the last word, unless an option names that, or it may stand for several. */
function taken(name: string, args: readonly string[]): string[] {
  const paths = operands(args)
  const isTarget = name === "mv" && !args.some((arg) => /^(?:-[a-zA-Z]*t|--t)/.test(arg))
  return isTarget && !isPattern(paths.at(-1) ?? "") ? paths.slice(0, -1) : paths
}

function operands(args: readonly string[]): string[] {
  const end = args.indexOf("--")
  const before = end < 0 ? args : args.slice(0, end)
  return [...before.filter((arg) => !arg.startsWith("-")), ...(end < 0 ? [] : args.slice(end + 1))]
}

function removal(path: string): Removal {
  return { path, isPattern: isPattern(path), isBelowPlace: false }
}

/** Whether a word may stand for several files: with a glob in it, also one of `extglob`, or with braces. */
export function isPattern(word: string): boolean {
  return !UNTOLD.test(word) && /[*?[{]|[!@+]\(/.test(word.replaceAll(/\$\{[^}]*\}/g, ""))
}

export function isUntold(word: string): boolean {
  return UNTOLD.test(word)
}
