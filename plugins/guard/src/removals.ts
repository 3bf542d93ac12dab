import type { ShellCommand } from "@pawl/shell"

/** A path that a command removes with everything below it, as it is written. */
export interface Removal {
  readonly path: string
  /** Set if the path may match several files. */
  readonly isPattern: boolean
  /** A glob that limits the removal to matching names. */
  readonly name?: string
  /** Set if only the directory is known, not the removed file. */
  readonly isBelowDirectory: boolean
}

const REMOVERS = new Set(["rm", "mv", "unlink", "shred", "trash", "trash-put", "rmdir"])
const RUNS = new Set(["-delete", "-exec", "-execdir", "-ok", "-okdir"])
/** With these options, a name does not say which files are found. */
const LOOSENS = new Set(["!", "-not", "-o", "-or", ",", "-iname"])
/** Placeholders for words that are known only when the command runs. */
const UNKNOWN_WORD = /^(?:\u2026|\{\})$/

/** Returns the paths that the commands remove or move. */
export function removalsOf(commands: readonly ShellCommand[]): readonly Removal[] {
  return commands.flatMap(({ words, via }) => {
    const [name = "", ...args] = words
    if (REMOVERS.has(name) && via !== "find") return taken(name, args).map((path) => removal(path))
    const [subcommand = "", ...others] = args
    if (name === "git" && /^(?:rm|mv)$/.test(subcommand) && !args.includes("--cached"))
      // A pathspec with a colon may select other directories.
      return taken(subcommand, others).map((path) => ({
        ...removal(path.startsWith(":") ? "…" : path),
        isBelowDirectory: true,
      }))
    return name === "find" ? removalsOfFind(args) : []
  })
}

/** Commands that `find` runs may do anything with the found files. */
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

/**
 * The last operand of a move is its target, unless an option names the target or the operand may match several files.
 */
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
  return { path, isPattern: isPattern(path), isBelowDirectory: false }
}

/** Returns true if a word may match several files, by a glob, `extglob` or braces. */
export function isPattern(word: string): boolean {
  return !UNKNOWN_WORD.test(word) && /[*?[{]|[!@+]\(/.test(word.replaceAll(/\$\{[^}]*\}/g, ""))
}

export function isUnknownWord(word: string): boolean {
  return UNKNOWN_WORD.test(word)
}
