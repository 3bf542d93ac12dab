import { stat } from "node:fs/promises"
import { dirname, join, relative, resolve, sep } from "node:path"
import type { Instruction, NestedInstructionQuery } from "@pawl/core/host"
import { INSTRUCTION_NAMES, type InstructionFile, isInside, readInstructionFile, realPath } from "./instruction-file.ts"

/**
 * Returns the unread instruction files between the session's directory and `path`, outermost first: for each directory,
 * the first of the three names. Returns each file once, however many links lead to it, also if several calls reach its
 * directory in parallel. Follows links only to files of the worktree. Excludes the file at `path` itself, because the
 * agent is reading it.
 */
export async function nestedInstructions({
  directory,
  worktree,
  path,
  loaded,
}: NestedInstructionQuery): Promise<Instruction[]> {
  const reached = resolve(directory, path)
  const entered = below(directory, await directoryOf(reached))
  const found = await Promise.all(entered.map((each) => firstOf(each, worktree, loaded)))
  const files = found.filter((file) => file !== undefined)
  if (files.length === 0) return []
  const known = new Set(await Promise.all([reached, ...loaded].map((each) => realPath(each))))
  // No `await` from here on, so that parallel calls never return the same file.
  const unread = files.filter(({ path: file, target }) => {
    if (loaded.has(file) || known.has(target)) return false
    known.add(target)
    loaded.add(file)
    return true
  })
  return unread.map((file) => ({ path: file.path, text: file.text }))
}

async function directoryOf(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.isDirectory() ? path : dirname(path)
}

/** Returns the directories below `outer` on the path to `inner`, including `inner`. */
function below(outer: string, inner: string): string[] {
  if (!isInside(inner, outer)) return []
  const names = relative(outer, inner).split(sep)
  return names.flatMap((name, at) => (name === "" ? [] : [join(outer, ...names.slice(0, at + 1))]))
}

/** Returns the directory's instruction file; undefined if it is missing or was read. */
async function firstOf(
  directory: string,
  worktree: string,
  loaded: ReadonlySet<string>,
): Promise<InstructionFile | undefined> {
  for (const name of INSTRUCTION_NAMES) {
    const path = join(directory, name)
    // Avoids reading the file again: an agent reaches the same directories again and again.
    if (loaded.has(path)) return undefined
    const file = await readInstructionFile(path, worktree)
    if (file) return file
  }
  return undefined
}
