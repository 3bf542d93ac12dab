import { UsageError } from "@pawl/config/usage-error"
import { isDirectory } from "./is-directory.ts"
import { git } from "./git.ts"
import { isMerged } from "./is-merged.ts"
import { requireCommitted, requireMerged, requireNoSubmodules } from "./nothing-lost.ts"
import { directoryOf, inTurn, namedWorktree, type RecordedWorktree, type WorktreeDeps, writeRecord } from "./records.ts"
import type { RemoveRequest } from "./remove-worktree.ts"
import { commitOf, openRepository, registeredWorktrees } from "./repository.ts"

export type ResetRequest = Omit<RemoveRequest, "isForced">

export interface ResetResult {
  readonly name: string
  readonly branch: string
  readonly path: string
  /** The commit at which the worktree begins now. */
  readonly base: string
}

/**
 * Lets a worktree begin again, at the commit that is checked out where it was created, on its own branch. Ignored files stay.
 * Throws UsageError if work would be lost.
 */
export async function resetWorktree(request: ResetRequest, deps: WorktreeDeps): Promise<ResetResult> {
  const { common } = await openRepository(request.directory, deps)
  const directory = await directoryOf(common, deps)
  return inTurn(directory, deps, async () => {
    const worktree = await namedWorktree(directory, request.name)
    await using _held = await request.hold(worktree.path)
    return reset(worktree, deps)
  })
}

async function reset(worktree: RecordedWorktree, deps: WorktreeDeps): Promise<ResetResult> {
  const { path, record } = worktree
  const { squashed: _, ...kept } = record
  const { name, branch, common } = kept
  await requireUsable(worktree, deps)
  await requireCommitted(worktree, deps)
  await requireNoSubmodules(worktree, deps)
  const tip = await commitOf(common, `refs/heads/${branch}`, deps)
  requireMerged(tip === undefined || (await isMerged(record, tip, deps)), record)
  const base = await originCommit(worktree, deps)
  // Without --force, git itself refuses to overwrite what has changed since the look above.
  await git(path, ["checkout", "--quiet", "--no-overwrite-ignore", "--detach", base], deps)
  await moveBranch(worktree, { from: tip, to: base }, deps)
  await writeRecord(path, { ...kept, base })
  return { name, branch, path, base }
}

/** Moves the branch and checks it out, unless it got another commit meanwhile. */
async function moveBranch(
  { path, record: { name, branch } }: RecordedWorktree,
  { from, to }: { readonly from: string | undefined; readonly to: string },
  deps: WorktreeDeps,
): Promise<void> {
  const ref = `refs/heads/${branch}`
  try {
    // An empty value: the branch must not exist.
    await git(path, ["update-ref", ref, to, from ?? ""], deps)
  } catch {
    await git(path, ["checkout", "--quiet", branch], deps)
    throw new UsageError(`${branch} got a new commit meanwhile.`, `Merge it: pawl worktree merge ${name}`)
  }
  await git(path, ["symbolic-ref", "HEAD", ref], deps)
}

async function requireUsable({ path, record }: RecordedWorktree, deps: WorktreeDeps): Promise<void> {
  const { name, branch, common } = record
  const all = await registeredWorktrees(common, deps)
  if (!(await isDirectory(path)) || !all.some((each) => each.path === path)) {
    throw new UsageError(
      `The directory of worktree ${name} is missing.`,
      `Check it out again: pawl run --worktree=${name} "…", or remove it: pawl worktree remove ${name}`,
    )
  }
  const other = all.find((each) => each.branch === branch && each.path !== path)
  if (!other) return
  throw new UsageError(`The branch ${branch} is checked out in ${other.path}.`, "Switch to another branch there.")
}

async function originCommit({ record }: RecordedWorktree, deps: WorktreeDeps): Promise<string> {
  const { name, origin } = record
  const commit = (await isDirectory(origin)) ? await commitOf(origin, "HEAD", deps) : undefined
  if (commit !== undefined) return commit
  throw new UsageError(
    `${origin}, where the worktree ${name} was created, has no commit to begin at.`,
    `Remove the worktree: pawl worktree remove ${name}`,
  )
}
