import { type ProgramEnd, runProgram } from "./run-program.ts"

/** Disables programs that the repository's own configuration may name. */
const NO_PROGRAMS = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]

/** Returns git's output; undefined outside of a worktree, without git, or if git fails. */
export async function git(directory: string, args: readonly string[], input?: string): Promise<string | undefined> {
  const end = await runGit(directory, args, input)
  return end?.code === 0 ? end.stdout : undefined
}

/** Runs git without the programs that the repository names: hooks, monitors, and filters of its own configuration. */
export async function runGit(
  directory: string,
  args: readonly string[],
  input?: string,
): Promise<ProgramEnd | undefined> {
  const options = { directory, ...(input === undefined ? {} : { input }) }
  return runProgram("git", [...NO_PROGRAMS, ...(await noFilters(directory)), ...args], options)
}

/** Returns options that disable the filters of the repository. Those of the user stay, such as of git-lfs. */
async function noFilters(directory: string): Promise<string[]> {
  const scopes = ["--local", "--worktree"]
  const lists = await Promise.all(
    scopes.map((scope) =>
      runProgram("git", ["config", scope, "--includes", "--null", "--name-only", "--get-regexp", "^filter\\."], {
        directory,
      }),
    ),
  )
  const keys = lists.flatMap((list) => (list?.code === 0 ? list.stdout.split("\0") : []))
  const names = new Set(keys.flatMap((key) => /^filter\.([^]+)\.[^.]+$/.exec(key)?.[1] ?? []))
  return [...names].flatMap((name) => [
    ...["-c", `filter.${name}.clean=`, "-c", `filter.${name}.smudge=`],
    ...["-c", `filter.${name}.process=`, "-c", `filter.${name}.required=false`],
  ])
}
