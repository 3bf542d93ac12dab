import { runProgram } from "./run-program.ts"

/** Disables programs that the repository's own configuration may name. */
const NO_PROGRAMS = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]

/** Returns git's output; undefined outside of a worktree, without git, or if git fails. */
export async function git(directory: string, args: readonly string[], input?: string): Promise<string | undefined> {
  const end = await runProgram("git", [...NO_PROGRAMS, ...args], {
    directory,
    ...(input === undefined ? {} : { input }),
  })
  return end?.code === 0 ? end.stdout : undefined
}
