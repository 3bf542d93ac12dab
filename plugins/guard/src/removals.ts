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
const RUNS = new Set(["-exec", "-execdir", "-ok", "-okdir"])

/** What the commands remove or move away. */
export function removalsOf(commands: readonly ShellCommand[]): readonly Removal[] {
  return commands.flatMap(({ words }) => {
    const [name = "", ...args] = words
    if (REMOVERS.has(name)) return taken(name, args).map((path) => removal(path))
    const [subcommand = "", ...others] = args
    if (name === "git" && /^(?:rm|mv)$/.test(subcommand) && !args.includes("--cached"))
      return taken(subcommand, others).map((path) => ({ ...removal(path), isBelowPlace: true }))
    return name === "find" ? removalsOfFind(args) : []
  })
}

function removalsOfFind(args: readonly string[]): Removal[] {
  const isRemoving = args.some((arg, at) => arg === "-delete" || (RUNS.has(arg) && REMOVERS.has(args[at + 1] ?? "")))
  if (!isRemoving) return []
  const end = args.findIndex((arg) => /^[-(!]/.test(arg))
  const starts = args.slice(0, end < 0 ? args.length : end)
  const at = args.findIndex((arg) => arg === "-name" || arg === "-iname")
  const name = at < 0 ? undefined : args[at + 1]
  return (starts.length > 0 ? starts : ["."]).map((path) => ({
    ...removal(path),
    ...(name === undefined || args.includes("-o") ? {} : { name }),
  }))
}

/** What is moved has its target as the last word, unless an option names that. */
function taken(name: string, args: readonly string[]): string[] {
  const paths = operands(args)
  return name === "mv" && !args.some((arg) => /^(?:-[a-zA-Z]*t|--t)/.test(arg)) ? paths.slice(0, -1) : paths
}

function operands(args: readonly string[]): string[] {
  const end = args.indexOf("--")
  const before = end < 0 ? args : args.slice(0, end)
  return [...before.filter((arg) => !arg.startsWith("-")), ...(end < 0 ? [] : args.slice(end + 1))]
}

function removal(path: string): Removal {
  return { path, isPattern: /[*?[{]/.test(path), isBelowPlace: false }
}
