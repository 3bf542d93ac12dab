import { UsageError } from "@pawl/config/usage-error"
import { filterSettings } from "@pawl/workspace/run-git"
import type { GitContext } from "./git.ts"

/**
 * Throws UsageError if the repository's own configuration names filters. Git runs their programs when it checks files out or
 * compares them. Filters of the user's configuration are allowed, such as those of git-lfs.
 */
export async function requireNoOwnFilters(worktree: string, context: GitContext): Promise<void> {
  const [setting] = await filterSettings({ ...context, cwd: worktree }, ["--local", "--worktree"])
  if (setting === undefined) return
  throw new UsageError(
    `The configuration of this repository names programs that git would run: ${setting.replace(/=(?:false)?$/, "")}.`,
    "Use the command instead, if you know them: pawl worktree, or pawl run --worktree",
  )
}
