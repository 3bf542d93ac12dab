import { SessionBusyError, type Storage } from "@pawl/core/storage"
import { UsageError } from "@pawl/config/usage-error"
import type { ServerWorktrees, WorktreeRefusal } from "@pawl/server"
import { NO_FETCH } from "@pawl/workspace/run-git"
import type { WorktreeDeps } from "@pawl/worktree"
import { holdSessions } from "./session/hold-sessions.ts"

export interface ServedWorktreesOptions {
  /** Absolute, without links. */
  readonly directory: string
  readonly storage: Storage
  readonly deps: WorktreeDeps
}

/**
 * Returns the worktrees of a directory's repository for clients of `pawl serve`. Nothing is lost by their requests, which have
 * no `--force`, and no program runs that the repository's own configuration names.
 */
export function servedWorktrees({ directory, storage, deps: given }: ServedWorktreesOptions): ServerWorktrees {
  const deps: WorktreeDeps = { ...given, variables: NO_FETCH }
  const hold = (path: string) => holdSessions(storage, path)

  /** Returns the refusal in place of a UsageError or a SessionBusyError. */
  async function orRefusal<T>(work: () => Promise<T>): Promise<T | WorktreeRefusal> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof SessionBusyError) {
        const { sessionID: id } = error
        const refusal = `Session ${id} is at work in the worktree. Wait for it, or end its run: POST /session/${id}/abort`
        return { refusal, isOutsideGit: false }
      }
      if (!(error instanceof UsageError)) throw error
      const { findRepository } = await import("@pawl/worktree")
      const isOutsideGit = (await findRepository(directory, deps).catch(() => undefined)) === undefined
      return { refusal: [error.message, error.hint].filter(Boolean).join(" "), isOutsideGit }
    }
  }

  /** Returns the name of the worktree at a path. Throws UsageError unless pawl created it for this repository. */
  async function nameAt(path: string): Promise<string> {
    const { worktreeNameAt } = await import("@pawl/worktree")
    const name = await worktreeNameAt(path, directory, deps)
    if (name !== undefined) return name
    throw new UsageError(
      `${path} is not a worktree that pawl has created for the repository of ${directory}.`,
      "List them: GET /experimental/worktree",
    )
  }

  return {
    async list() {
      const { worktreePaths } = await import("@pawl/worktree")
      const paths = await orRefusal(() => worktreePaths(directory, deps))
      return "refusal" in paths ? [] : paths
    },
    create: (name) =>
      orRefusal(async () => {
        const { findRepository, openWorktree, requireNoOwnFilters } = await import("@pawl/worktree")
        const root = (await findRepository(directory, deps))?.root ?? directory
        await requireNoOwnFilters(root, deps)
        return openWorktree({ directory: root, name, mustBeNew: true }, deps)
      }),
    remove: (path) =>
      orRefusal(async () => {
        const name = await nameAt(path)
        const { removeWorktree, requireNoOwnFilters } = await import("@pawl/worktree")
        await requireNoOwnFilters(path, deps)
        await removeWorktree({ directory, name, hold }, deps)
        return undefined
      }),
    reset: (path) =>
      orRefusal(async () => {
        const name = await nameAt(path)
        const { requireNoOwnFilters, resetWorktree } = await import("@pawl/worktree")
        await requireNoOwnFilters(path, deps)
        await resetWorktree({ directory, name, hold }, deps)
        return undefined
      }),
  }
}
