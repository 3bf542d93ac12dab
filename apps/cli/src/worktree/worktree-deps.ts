import { readDataLocations } from "@pawl/runtime/config/settings"
import { holdSessions } from "@pawl/runtime/session/hold-sessions"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import type { WorktreeDeps } from "@pawl/worktree"
import type { Host } from "../host.ts"

/** Error of a command without its worktree. */
export const MISSING_WORKTREE = "missing name; list the worktrees: pawl worktree list"

export async function worktreeDeps(host: Host): Promise<WorktreeDeps> {
  const { dataDirectory } = await readDataLocations(host)
  return { dataDirectory, environment: host.environment }
}

/** Runs work on a worktree that must not run beside one of its sessions. */
export function withIdleSessions<T>(
  host: Host,
  url: string | undefined,
  work: (hold: (path: string) => Promise<AsyncDisposable>, deps: WorktreeDeps) => Promise<T>,
): Promise<T> {
  return withStorage(host, { url }, (storage, { dataDirectory }) => {
    return work((path) => holdSessions(storage, path), { dataDirectory, environment: host.environment })
  })
}
