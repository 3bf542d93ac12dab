import { filterSettings, type GitEnd, NO_FETCH, runGit } from "@pawl/workspace/run-git"

/** Returns git's output; undefined outside of a worktree, without git, or if git fails. */
export async function git(directory: string, args: readonly string[], input?: string): Promise<string | undefined> {
  const { code, stdout } = await runGitSafely(directory, args, input)
  return code === 0 ? stdout.toString("utf8") : undefined
}

/**
 * Runs git without the programs that a repository's own configuration names: hooks, monitors, filters and
 * those that fetch. Filters of the user stay, such as those of git-lfs.
 */
export async function runGitSafely(directory: string, args: readonly string[], input?: string): Promise<GitEnd> {
  const run = { cwd: directory, environment: process.env, variables: { GIT_OPTIONAL_LOCKS: "0", ...NO_FETCH } }
  const settings = await filterSettings(run, ["--local", "--worktree"])
  const all = [...settings.flatMap((setting) => ["-c", setting]), ...args]
  return runGit(all, { ...run, ...(input === undefined ? {} : { input }) })
}
