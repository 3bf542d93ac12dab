import { copyFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { UsageError } from "@pawl/config/usage-error"
import { git, readGit } from "./git.ts"
import { directoryOf, namedWorktree, type WorktreeDeps } from "./records.ts"
import { checkedOutBranch, commitOf, openRepository } from "./repository.ts"

export interface DiffRequest {
  /** Absolute path in the repository. */
  readonly directory: string
  readonly name: string
  /** Options of `git diff`, such as `--stat`. */
  readonly options?: readonly string[]
}

/**
 * Returns what a worktree has changed since it left the branch that is checked out where it was created, including
 * uncommitted and untracked files, as git shows it. Writes neither the index nor a file of the worktree.
 */
export async function diffWorktree(
  { directory, name, options = [] }: DiffRequest,
  deps: WorktreeDeps,
): Promise<string> {
  const { common } = await openRepository(directory, deps)
  const { path, record } = await namedWorktree(await directoryOf(common, deps), name)
  const tip = await commitOf(common, `refs/heads/${record.branch}`, deps)
  if (tip === undefined) throw new UsageError(`The branch ${record.branch} is gone.`)
  const target = await checkedOutBranch(record.origin, deps).catch(() => undefined)
  const since =
    target === undefined ? undefined : await readGit(common, ["merge-base", `refs/heads/${target}`, tip], deps)
  const show = ["diff", "--no-ext-diff", "--no-textconv", ...options]
  const temporary = await mkdtemp(join(tmpdir(), "pawl-diff-"))
  try {
    const index = join(temporary, "index")
    const own = await readGit(path, ["rev-parse", "--path-format=absolute", "--git-path", "index"], deps).catch(
      () => undefined,
    )
    // A worktree whose directory is missing has commits only.
    if (own === undefined) return await git(common, [...show, since ?? record.base, tip, "--"], deps)
    await copyFile(own, index)
    const variables = { GIT_INDEX_FILE: index }
    await git(path, ["add", "--all"], { ...deps, variables })
    return await git(path, [...show, "--cached", since ?? record.base, "--"], { ...deps, variables })
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}
