import { realpath } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { isDirectory } from "./is-directory.ts"
import { readRecord } from "./origin.ts"
import { findDirectory, recordedWorktrees, type WorktreeDeps } from "./records.ts"
import { findRepository } from "./repository.ts"

/** Returns the paths of the worktrees of a directory's repository, newest first. Empty outside of git. Creates nothing. */
export async function worktreePaths(directory: string, deps: WorktreeDeps): Promise<string[]> {
  const worktrees = await findWorktrees(directory, deps)
  if (worktrees === undefined) return []
  const paths = (await recordedWorktrees(worktrees)).map(({ path }) => path)
  const areThere = await Promise.all(paths.map(isDirectory))
  return paths.filter((_, at) => areThere[at])
}

/** Returns the name of the worktree at this path, if it belongs to the directory's repository and pawl created it. */
export async function worktreeNameAt(path: string, directory: string, deps: WorktreeDeps): Promise<string | undefined> {
  // The directory of a worktree may be gone.
  const real = await realpath(path).catch(() => resolve(path))
  if (dirname(real) !== (await findWorktrees(directory, deps))) return undefined
  return (await readRecord(real))?.name
}

async function findWorktrees(directory: string, deps: WorktreeDeps): Promise<string | undefined> {
  const repository = await findRepository(directory, deps)
  return repository && findDirectory(repository.common, deps)
}
