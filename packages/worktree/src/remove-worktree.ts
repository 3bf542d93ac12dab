import { rm } from "node:fs/promises"
import { UsageError } from "@pawl/config/usage-error"
import { isDirectory } from "./is-directory.ts"
import { git } from "./git.ts"
import { isMerged } from "./is-merged.ts"
import {
  directoryOf,
  inTurn,
  namedWorktree,
  type RecordedWorktree,
  removeRecord,
  type WorktreeDeps,
} from "./records.ts"
import { commitOf, openRepository, registeredWorktrees } from "./repository.ts"
import { requireCommitted, requireMerged, requireNoSubmodules } from "./nothing-lost.ts"

export interface RemoveRequest {
  /** Absolute path in the repository. */
  readonly directory: string
  readonly name: string
  /** Set to discard uncommitted changes, and to remove the directory of an unmerged branch. */
  readonly isForced?: boolean | undefined
  /** Holds the sessions of the worktree while it is removed. Rejects if one of them is at work. */
  readonly hold: (path: string) => Promise<AsyncDisposable>
}

export interface RemoveResult {
  readonly name: string
  readonly branch: string
  readonly path: string
  /** The commit of the branch. Undefined if the branch was gone. */
  readonly tip: string | undefined
  /** Set if the branch stays, because no other branch holds its commits. */
  readonly isBranchKept: boolean
}

/** Removes a worktree, and its branch if that is merged. Throws UsageError if work would be lost, unless it is forced. */
export async function removeWorktree(request: RemoveRequest, deps: WorktreeDeps): Promise<RemoveResult> {
  const { common } = await openRepository(request.directory, deps)
  const directory = await directoryOf(common, deps)
  return inTurn(directory, deps, async () => {
    const worktree = await namedWorktree(directory, request.name)
    await using _held = await request.hold(worktree.path)
    return remove(worktree, request.isForced === true, deps)
  })
}

async function remove(worktree: RecordedWorktree, isForced: boolean, deps: WorktreeDeps): Promise<RemoveResult> {
  const { path, record } = worktree
  const { name, branch, common } = record
  const all = await registeredWorktrees(common, deps)
  const registered = all.find((each) => each.path === path)
  const isThere = await isDirectory(path)
  const tip = await commitOf(common, `refs/heads/${branch}`, deps)
  const isSafe = tip === undefined || (await isMerged(record, tip, deps))
  if (!isForced) {
    if (isThere && registered) {
      await requireCommitted(worktree, deps)
      await requireNoSubmodules(worktree, deps)
    }
    requireMerged(isSafe, record)
  }
  if (registered) {
    if (isThere && registered.locked !== undefined && registered.locked !== "initializing") {
      throw new UsageError(`The worktree ${path} is locked.`, `Unlock it: git worktree unlock '${path}'`)
    }
    await git(common, ["worktree", "remove", "--force", "--force", path], deps)
  }
  if (isThere && !registered) await removeUnregistered(path, isForced)
  const isElsewhere = all.some((each) => each.branch === branch && each.path !== path)
  const isBranchKept = tip !== undefined && (!isSafe || isElsewhere)
  // Deletes the branch only if it still is at that commit.
  if (tip !== undefined && !isBranchKept) await git(common, ["update-ref", "-d", `refs/heads/${branch}`, tip], deps)
  await removeRecord(path)
  return { name, branch, path, tip, isBranchKept }
}

/** Removes a directory that git no longer knows, which is all that is left of a worktree. */
async function removeUnregistered(path: string, isForced: boolean): Promise<void> {
  if (!isForced) {
    throw new UsageError(
      `git no longer knows the worktree ${path}, so its changes cannot be compared.`,
      `Look into it; to let git know it again: git worktree repair '${path}'. To delete it: --force`,
    )
  }
  await rm(path, { recursive: true, force: true })
}
