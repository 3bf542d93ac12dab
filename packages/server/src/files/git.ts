import { runProgram } from "./run-program.ts"

/** The repository's own configuration may name programs. */
const NO_PROGRAMS = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]

/** What git says; undefined outside of a work tree, without git, and where it fails. */
export async function git(directory: string, args: readonly string[], input?: string): Promise<string | undefined> {
  const end = await runProgram("git", [...NO_PROGRAMS, ...args], {
    directory,
    ...(input === undefined ? {} : { input }),
  })
  return end?.code === 0 ? end.stdout : undefined
}
