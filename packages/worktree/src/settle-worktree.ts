import { git, readGit } from "./git.ts"
import { commitWork } from "./merge-worktree.ts"
import { readRecord } from "./origin.ts"
import { directoryOf, inTurn, removeRecord, type WorktreeDeps } from "./records.ts"
import { commitOf, openRepository } from "./repository.ts"

export interface SettleRequest {
  /** Absolute path in a worktree. */
  readonly directory: string
  /** Message of the commit with the uncommitted work. */
  readonly message: string
}

export interface SettledWorktree {
  readonly name: string
  readonly branch: string
  readonly path: string
  readonly origin: string
  readonly base: string
  /** git's summary of the changes since `base`. Empty without changes; then the worktree was removed. */
  readonly summary: string
}

/**
 * Commits the work in a worktree whose session has ended, or removes the worktree if it has no commit and no change. Returns
 * undefined for a directory outside of the worktrees of pawl.
 */
export async function settleWorktree(
  { directory, message }: SettleRequest,
  deps: WorktreeDeps,
): Promise<SettledWorktree | undefined> {
  const { root: path, common } = await openRepository(directory, deps)
  const record = await readRecord(path)
  if (!record) return undefined
  const { name, branch, origin, base } = record
  return inTurn(await directoryOf(common, deps), deps, async () => {
    await commitWork({ path, record }, message, deps)
    const tip = await commitOf(path, "HEAD", deps)
    const known = { name, branch, path, origin, base }
    if (tip !== undefined && tip !== base) {
      const summary = await readGit(path, ["diff", "--shortstat", base, tip, "--"], deps)
      return { ...known, summary: summary?.trim() || "no changes of files" }
    }
    await git(common, ["worktree", "remove", path], deps)
    await git(common, ["update-ref", "-d", `refs/heads/${branch}`, base], deps)
    await removeRecord(path)
    return { ...known, summary: "" }
  })
}
