import { execFile } from "node:child_process"

export interface FirstCommitOptions {
  /** Absolute: inside a git work tree. */
  readonly worktree: string
  readonly environment: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Milliseconds. A history of a million commits takes some ten seconds. */
const PATIENCE = 120_000

/**
 * The hash of the first commit of what is checked out, the same in every clone and work tree; of several the smallest.
 * Undefined where there is none: before the first commit, in a shallow clone, which does not have it, and without git.
 */
export async function firstCommit(options: FirstCommitOptions): Promise<string | undefined> {
  const shallow = await git(options, ["rev-parse", "--is-shallow-repository"])
  if (shallow?.trim() !== "false") return undefined
  const roots = await git(options, ["rev-list", "--max-parents=0", "HEAD"])
  return roots
    ?.split("\n")
    .filter((line) => /^[0-9a-f]{40,64}$/.test(line))
    .toSorted()[0]
}

/** The repository's own configuration names programs, and is nobody's who was asked. */
const NO_PROGRAMS = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]

/** What git prints; undefined where it fails. */
function git({ worktree, environment, signal }: FirstCommitOptions, words: string[]): Promise<string | undefined> {
  // Replacements are this clone's own, and a missing object is not worth a connection.
  const env = { ...environment, GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none", GIT_TERMINAL_PROMPT: "0" }
  const options = { cwd: worktree, env, timeout: PATIENCE, maxBuffer: 2 ** 20, ...(signal ? { signal } : {}) }
  return new Promise((resolve) => {
    execFile("git", [...NO_PROGRAMS, "--no-replace-objects", ...words], options, (error, stdout) => {
      resolve(error ? undefined : stdout)
    })
  })
}
