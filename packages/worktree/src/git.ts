import { UsageError } from "@pawl/config/usage-error"
import { type GitEnd, runGit } from "@pawl/workspace/run-git"

/** The environment of git, and the end of the command that runs it. */
export interface GitContext {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
  /** Variables of git itself. */
  readonly variables?: Readonly<Record<string, string>>
}

export interface GitOptions extends GitContext {
  readonly input?: string
}

/** A checkout of a large repository takes minutes. */
const TIMEOUT_MS = 15 * 60_000

/** Runs git in a directory, and returns how it ended. Throws UsageError without git. */
export async function gitEnd(cwd: string, args: readonly string[], options: GitOptions): Promise<GitEnd> {
  options.signal?.throwIfAborted()
  const end = await runGit(["-c", "core.quotePath=false", ...args], { ...options, cwd, timeoutMs: TIMEOUT_MS })
  options.signal?.throwIfAborted()
  if (end.isMissing) throw new UsageError("Worktrees need git, which cannot be started.", "Install git 2.38 or newer.")
  return end
}

/** Returns the output of git, without the line's end. Throws UsageError with git's own words if it fails. */
export async function git(cwd: string, args: readonly string[], options: GitOptions): Promise<string> {
  const { code, stdout, stderr } = await gitEnd(cwd, args, options)
  if (code === 0) return stdout.toString("utf8").replace(/\n$/, "")
  throw new UsageError(`git ${args.find((word) => !word.startsWith("-")) ?? ""} failed: ${stderr || "it was ended."}`)
}

/** Returns the output of a command that only reads, without the line's end; undefined if it fails. */
export async function readGit(cwd: string, args: readonly string[], options: GitOptions): Promise<string | undefined> {
  const { code, stdout } = await gitEnd(cwd, args, {
    ...options,
    variables: { GIT_OPTIONAL_LOCKS: "0", ...options.variables },
  })
  return code === 0 ? stdout.toString("utf8").replace(/\n$/, "") : undefined
}

/** Splits the output of git with `-z`. */
export function records(output: string): string[] {
  return output.split("\0").filter((record) => record !== "")
}
