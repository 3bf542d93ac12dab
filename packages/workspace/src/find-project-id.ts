import type { ProjectQuery } from "@pawl/core/host"
import { findWorktree } from "./worktree.ts"

/** Returns the hash of the first commit of the directory's repository, or undefined if it cannot be found. */
export async function findProjectID({ directory, ...how }: ProjectQuery): Promise<string | undefined> {
  const worktree = await findWorktree(directory)
  if (worktree === undefined) return undefined
  const { firstCommit } = await import("./first-commit.ts")
  return firstCommit({ worktree, ...how })
}
