import { NO_FETCH, runGit } from "./run-git.ts"

export interface FirstCommitOptions {
  /** Absolute path inside a git work tree. */
  readonly worktree: string
  readonly environment: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** A history of a million commits takes some ten seconds. */
const TIMEOUT_MS = 120_000

/**
 * Returns the hash of the first commit of the checked-out branch, which is the same in every clone and work tree; the
 * smallest if there are several. Undefined before the first commit, in a shallow clone, which lacks it, and without
 * git.
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

/** Returns the output of git; undefined if it fails. */
async function git(
  { worktree, environment, signal }: FirstCommitOptions,
  words: readonly string[],
): Promise<string | undefined> {
  // Fetching a missing object is not worth a connection.
  const run = { cwd: worktree, environment, variables: NO_FETCH, timeoutMs: TIMEOUT_MS, ...(signal ? { signal } : {}) }
  // Replacements belong to this clone only.
  const { code, stdout } = await runGit(["--no-replace-objects", ...words], run)
  return code === 0 ? stdout.toString("utf8") : undefined
}
