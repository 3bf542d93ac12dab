import { stat } from "node:fs/promises"
import { isInProject, type SessionID, type ToolPlace } from "@pawl/core/tool"
import { boundsOf } from "../bounds-of.ts"
import { realTarget } from "../paths.ts"

/** Where the next command of each session starts: where the one before ended. */
export interface SessionDirectories {
  /** Absolute. Without a session: the place's directory. */
  next(place: Place): string
  /**
   * Takes note that a command which started in `from` ended in `to`, both absolute. What leads out of the worktree and
   * the directory is not followed: the next command starts in the place's directory then.
   */
  ended(place: Place, from: string, to: string): Promise<Move>
  /** The next command starts in the place's directory. */
  reset(place: Place): void
}

export interface Place extends ToolPlace {
  readonly sessionID?: SessionID
}

export type Move = { readonly type: "stayed" } | { readonly type: "moved" | "left"; readonly to: string }

export function createSessionDirectories(): SessionDirectories {
  const directories = new Map<SessionID, string>()
  return {
    next({ sessionID, directory }) {
      return (sessionID === undefined ? undefined : directories.get(sessionID)) ?? directory
    },
    async ended(place, from, to) {
      const { sessionID } = place
      const [start, bounds] = await Promise.all([realTarget(from), boundsOf(place)])
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
