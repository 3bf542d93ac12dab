import { join } from "node:path"
import { UsageError } from "@pawl/config/usage-error"
import { isDirectory } from "./is-directory.ts"
import { readGit } from "./git.ts"
import { isMerged } from "./is-merged.ts"
import type { WorktreeRecord } from "./origin.ts"
import type { RecordedWorktree, WorktreeDeps } from "./records.ts"
import { changesIn, commitOf } from "./repository.ts"

const MAX_SHOWN = 5

/** Throws UsageError if a worktree has uncommitted changes, or is at a commit that no branch holds. */
export async function requireCommitted({ path, record }: RecordedWorktree, deps: WorktreeDeps): Promise<void> {
  const { name, branch } = record
  const changes = await changesIn(path, deps)
  if (changes.length > 0) {
    const shown = changes.slice(0, MAX_SHOWN).map((change) => change.path)
    const more = changes.length > MAX_SHOWN ? ` and ${changes.length - MAX_SHOWN} more` : ""
    throw new UsageError(
      `The worktree ${name} has uncommitted changes: ${shown.join(", ")}${more}.`,
      `Merge them: pawl worktree merge ${name}. To discard them with the worktree: pawl worktree remove --force ${name}`,
    )
  }
  const head = await commitOf(path, "HEAD", deps)
  if (
    head !== undefined &&
    head !== (await commitOf(path, `refs/heads/${branch}`, deps)) &&
    !(await isMerged(record, head, deps))
  ) {
    throw new UsageError(
      `The worktree ${name} is at the commit ${head.slice(0, 12)}, which no branch holds.`,
      `Keep it: git branch <name> ${head.slice(0, 12)}. To remove the worktree nevertheless: pawl worktree remove --force ${name}`,
    )
  }
}

/** Throws UsageError unless the commits of the worktree's branch are merged. */
export function requireMerged(isBranchMerged: boolean, { name, branch }: WorktreeRecord): void {
  if (isBranchMerged) return
  throw new UsageError(
    `The commits of ${branch} are not merged.`,
    `Merge them: pawl worktree merge ${name}. To remove the worktree and keep the branch: pawl worktree remove --force ${name}`,
  )
}

/** Throws UsageError if submodules are checked out, whose commits may exist nowhere else. */
export async function requireNoSubmodules({ path, record }: RecordedWorktree, deps: WorktreeDeps): Promise<void> {
  const repository = await readGit(path, ["rev-parse", "--path-format=absolute", "--git-dir"], deps)
  if (repository === undefined || !(await isDirectory(join(repository, "modules")))) return
  throw new UsageError(
    `Submodules are checked out in the worktree ${record.name}. Commits of theirs that were not pushed would be lost.`,
    `Push them, then: pawl worktree remove --force ${record.name}`,
  )
}
