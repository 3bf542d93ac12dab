import { stat } from "node:fs/promises"
import { isInProject, type SessionID, type ToolLocation } from "@pawl/core/tool"
import { boundsOf } from "../bounds-of.ts"
import { realTarget } from "../paths.ts"

/** Remembers the directory in which each session's next command starts: where its last command ended. */
export interface SessionDirectories {
  /** Absolute. Default: the workspace's directory. */
  next(workspace: SessionWorkspace): string
  /**
   * Records that a command started in `from` and ended in `to`, both absolute. If `to` is outside of the worktree and
   * the directory, the next command starts in the workspace's directory.
   */
  ended(workspace: SessionWorkspace, from: string, to: string): Promise<Move>
  /** Makes the next command start in the workspace's directory. */
  reset(workspace: SessionWorkspace): void
}

export interface SessionWorkspace extends ToolLocation {
  readonly sessionID?: SessionID
}

export type Move = { readonly type: "stayed" } | { readonly type: "moved" | "left"; readonly to: string }

export function createSessionDirectories(): SessionDirectories {
  const directories = new Map<SessionID, string>()
  return {
    next({ sessionID, directory }) {
      return (sessionID === undefined ? undefined : directories.get(sessionID)) ?? directory
    },
    async ended(workspace, from, to) {
      const { sessionID } = workspace
      const [start, bounds] = await Promise.all([realTarget(from), boundsOf(workspace)])
      if (sessionID === undefined || to === start || !(await isDirectory(to))) return { type: "stayed" }
      const isInside = to === bounds.directory || isInProject(to, bounds)
      if (isInside && to !== bounds.directory) directories.set(sessionID, to)
      else directories.delete(sessionID)
      return { type: isInside ? "moved" : "left", to }
    },
    reset({ sessionID }) {
      if (sessionID !== undefined) directories.delete(sessionID)
    },
  }
}

export async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() === true
}
