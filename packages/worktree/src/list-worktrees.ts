import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { isDirectory } from "./is-directory.ts"
import { readGit } from "./git.ts"
import { worktreesDirectory } from "./origin.ts"
import { directoryOf, type RecordedWorktree, recordedWorktrees, type WorktreeDeps } from "./records.ts"
import { changesIn, checkedOutBranch, commitOf, openRepository } from "./repository.ts"
import { isMerged } from "./is-merged.ts"

/**
 * `present`: it can be used. `missing`: its directory is gone, and its branch is there. `gone`: both are gone. `orphaned`:
 * its repository is gone.
 */
export type WorktreeCondition = "present" | "missing" | "gone" | "orphaned"

export interface WorktreeState {
  readonly name: string
  readonly branch: string
  readonly path: string
  readonly origin: string
  readonly created: number
  readonly condition: WorktreeCondition
  /** Paths with changes that are not committed. */
  readonly uncommitted: number
  /** Commits that the branch checked out at `origin` lacks. Undefined if that branch is unknown. */
  readonly ahead: number | undefined
  /** Branch that is checked out at `origin`. */
  readonly target: string | undefined
  /** Set if nothing is lost when the branch is removed. */
  readonly isMerged: boolean
}

/** Lists the worktrees of a directory's repository, or of all repositories, newest first. */
export async function listWorktrees(directory: string | undefined, deps: WorktreeDeps): Promise<WorktreeState[]> {
  const directories =
    directory === undefined
      ? await everyDirectory(deps)
      : [await directoryOf((await openRepository(directory, deps)).common, deps)]
  const found = (await Promise.all(directories.map(recordedWorktrees))).flat()
  const states: WorktreeState[] = []
  for (const worktree of found) states.push(await stateOf(worktree, deps))
  return states.toSorted((a, b) => b.created - a.created)
}

async function everyDirectory({ dataDirectory }: WorktreeDeps): Promise<string[]> {
  const parent = worktreesDirectory(dataDirectory)
  return (await readdir(parent).catch(() => [])).map((name) => join(parent, name))
}

async function stateOf({ path, record }: RecordedWorktree, deps: WorktreeDeps): Promise<WorktreeState> {
  const { name, branch, origin, common, created } = record
  const known = { name, branch, path, origin, created }
  const nothing = { uncommitted: 0, ahead: undefined, target: undefined, isMerged: false }
  const isThere = await isDirectory(path)
  if (!(await isDirectory(common))) return { ...known, ...nothing, condition: isThere ? "orphaned" : "gone" }
  const tip = await commitOf(common, `refs/heads/${branch}`, deps)
  const target = (await isDirectory(origin)) ? await checkedOutBranch(origin, deps) : undefined
  const ahead = tip === undefined || target === undefined ? undefined : await countBetween(common, target, tip, deps)
  const changes = isThere ? await changesIn(path, deps).catch(() => []) : []
  const condition = isThere ? "present" : tip === undefined ? "gone" : "missing"
  return {
    ...{ ...known, condition, uncommitted: changes.length, ahead, target },
    isMerged: tip === undefined || (await isMerged(record, tip, deps)),
  }
}

async function countBetween(common: string, target: string, tip: string, deps: WorktreeDeps): Promise<number> {
  return Number((await readGit(common, ["rev-list", "--count", tip, "--not", `refs/heads/${target}`, "--"], deps)) ?? 0)
}
