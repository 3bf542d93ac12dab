import path from "node:path"
import { ConfigError } from "./config-error.ts"

/**
 * Returns the directories from the root of the worktree down to `directory`; only `directory` if there is no worktree.
 */
export function projectDirectories(directory: string, worktree = directory): string[] {
  for (const given of [directory, worktree]) {
    if (!path.isAbsolute(given)) throw new TypeError(`Only absolute paths are read from, got ${JSON.stringify(given)}.`)
  }
  const below = path.relative(worktree, directory)
  const steps = below === "" ? [] : below.split(path.sep)
  if (steps[0] === ".." || path.isAbsolute(below)) {
    throw new ConfigError([{ message: `The directory ${directory} is not inside its worktree ${worktree}.` }])
  }
  return [worktree, ...steps.map((_, index) => path.join(worktree, ...steps.slice(0, index + 1)))]
}
