import { join } from "node:path"
import { type ChangedFile, changedFiles } from "./changed-files.ts"
import { git, runGitSafely } from "./git.ts"
import type { ReadRules } from "./read-rules.ts"

export interface ChangeQuery {
  readonly worktree: string
  /** Files that may not be read without asking are left out. */
  readonly rules: ReadRules
  /** Compared with the last commit, or with the commit where the branch began. */
  readonly mode: "git" | "branch"
  /** Lines around each change. Default: 3 */
  readonly context?: number | undefined
}

export interface FileChange extends ChangedFile {
  readonly patch: string
}

/** No program that the repository's configuration names is run. */
const PATCH = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"]

/** Returns the differences of files with their patches; empty outside of git. */
export async function changes({ worktree, rules, mode, context = 3 }: ChangeQuery): Promise<FileChange[]> {
  const base = mode === "git" ? "HEAD" : await branchStart(worktree)
  const changed: FileChange[] = []
  for (const file of await changedFiles(worktree, base)) {
    if ((await rules(join(worktree, file.path))) !== "allow") continue
    changed.push({ ...file, patch: await patchOf(worktree, file, base, context) })
  }
  return changed
}

/** Returns the last commit that the branch shares with the main one. */
async function branchStart(worktree: string): Promise<string> {
  for (const main of ["refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/master"]) {
    const start = (await git(worktree, ["merge-base", "HEAD", main]))?.trim()
    if (start) return start
  }
  return "HEAD"
}

async function patchOf(worktree: string, file: ChangedFile, base: string, context: number): Promise<string> {
  const around = `--unified=${context}`
  const tracked = await git(worktree, [...PATCH, around, base, "--", file.path])
  if (tracked) return tracked
  // Git exits with 1 if there are differences.
  const args = [...PATCH, around, "--no-index", "--", "/dev/null", file.path]
  return (await runGitSafely(worktree, args)).stdout.toString("utf8")
}
