import type { ShellReading } from "@pawl/shell"
import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import { type CommandWord, commandWords } from "./command-words.ts"
import { readsOnly } from "./programs.ts"
import { isPlainRepository } from "./repository.ts"
import { readsSecret } from "./secret-names.ts"

export interface ReadingContext {
  /** Absolute directory where the command starts. */
  readonly cwd: string
  readonly home: string
}

/**
 * Returns true if a command changes nothing: all programs are known, all words are harmless, nothing is written and
 * nothing is unclear. Returns false if in doubt.
 */
export function isReading(reading: ShellReading, { cwd, home }: ReadingContext): boolean {
  const { commands, redirects, patterns, assignments, unclear, directories } = reading
  if (commands.length === 0 || unclear.length > 0 || assignments.length > 0) return false
  if ([...redirects, ...patterns].some(({ mode }) => mode === "write" || mode === "within")) return false
  if (readsSecret(reading, { cwd, home })) return false
  const all = commands.map(commandWords)
  if (!all.every((words) => words !== undefined && readsOnly(words))) return false
  if (!commands.some(({ words }) => words[0] === "git")) return true
  if (!all.every((words) => words !== undefined && isPlainMove(words))) return false
  const paths = directories.map((path) => (/^~(?:\/|$)/.test(path) ? resolve(home, `.${path.slice(1)}`) : path))
  // A shell keeps the names of links in its working directory; git resolves them.
  const starts = [cwd, realpathSync(cwd)].flatMap((start) => [start, ...paths.map((path) => resolve(start, path))])
  return starts.every((path) => isPlainRepository(path))
}

/** Commands that change the working directory. */
export const CHANGES_DIRECTORY: ReadonlySet<string> = new Set(["cd", "chdir", "pushd", "popd"])

/** Returns true unless the command changes to an unknown directory, which could contain another repository. */
function isPlainMove([name, ...words]: readonly CommandWord[]): boolean {
  if (name === undefined || !CHANGES_DIRECTORY.has(name.value)) return true
  const [target, ...others] = words
  return (
    name.value === "cd" && target !== undefined && others.length === 0 && !target.isOpen && !/^[-~]/.test(target.value)
  )
}
