import { workDirectory } from "@pawl/runtime/session/work-directory"
import type { OpenedWorktree } from "@pawl/worktree"
import { UsageError } from "../arguments/usage-error.ts"
import type { Host } from "../host.ts"
import { worktreeDeps } from "../worktree/worktree-deps.ts"

export interface WorktreeOptions {
  /** Name, or true for a generated one. */
  readonly worktree: string | true
  readonly dir: string | undefined
  readonly continues: boolean
  readonly session: string | undefined
  /** Words of the task. */
  readonly words: readonly string[]
}

/** Opens the worktree of a run. Throws UsageError for options that do not go with it. */
export async function runWorktree(options: WorktreeOptions, host: Host): Promise<OpenedWorktree> {
  const { worktree, dir, continues, session, words } = options
  if (session !== undefined) {
    throw new UsageError(
      "--worktree and -s cannot be used together.",
      "A session continues in its own directory: pawl run -s <id>",
    )
  }
  if (continues && worktree === true) {
    throw new UsageError(
      "-c needs the name of the worktree.",
      'pawl run -c --worktree=<name> "…". List them: pawl worktree list',
    )
  }
  const [first = "", second = ""] = words
  if (worktree === true && words.length === 2 && /^[\w.-]+$/.test(first) && /\s/.test(second)) {
    throw new UsageError(`The name of a worktree follows "=".`, `pawl run --worktree=${first} "…"`)
  }
  const [directory, deps] = await Promise.all([workDirectory(host, dir), worktreeDeps(host)])
  const { openWorktree } = await import("@pawl/worktree")
  return openWorktree({ directory, name: worktree === true ? undefined : worktree, mustExist: continues }, deps)
}

/** Removes a worktree that was created for a run which could not begin, unless it has changed. */
export async function discardWorktree({ name, origin }: OpenedWorktree, host: Host): Promise<void> {
  const { removeWorktree } = await import("@pawl/worktree")
  const hold = async () => ({ [Symbol.asyncDispose]: async () => undefined })
  await removeWorktree({ directory: origin, name, hold }, await worktreeDeps(host))
}

/** Returns the lines that say where the work happens. */
export function worktreeLines({ name, branch, path, base, target, isNew, notices }: OpenedWorktree): string[] {
  const from = isNew ? `, new from ${target ?? "HEAD"} at ${base.slice(0, 10)}` : ""
  return [`Worktree ${name}: ${path} (branch ${branch}${from})`, ...notices]
}
