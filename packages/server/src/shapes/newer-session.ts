import { relative, sep } from "node:path"
import type { Session } from "@pawl/core"
import type { ServerHost } from "../host.ts"
import { isInside } from "../request-directory.ts"
import { openCodeModelRef, openCodeTotals, type Totals } from "./session.ts"

/** Converts a session to the form of OpenCode's newer interface. */
export function newerSession(
  host: Pick<ServerHost, "project" | "worktree">,
  session: Session,
  totals: Totals | undefined,
) {
  const { id, parentID, projectID, agent, directory, time, title, revert } = session
  const { created, updated, archived } = time
  const model = openCodeModelRef(session)
  const subpath = subpathOf(host, session)
  return {
    id,
    ...(parentID === undefined ? {} : { parentID }),
    projectID,
    ...(agent === undefined ? {} : { agent }),
    ...(model ? { model } : {}),
    ...openCodeTotals(totals),
    time: { created, updated, ...(archived === undefined ? {} : { archived }) },
    title,
    location: { directory },
    ...(subpath === undefined ? {} : { subpath }),
    ...(revert ? { revert } : {}),
  }
}

/**
 * Returns the path of a session's directory in its project. Undefined for the project's own directory, and for other
 * projects, whose worktrees are unknown here.
 */
export function subpathOf(
  { project, worktree }: Pick<ServerHost, "project" | "worktree">,
  { projectID, directory }: Pick<Session, "projectID" | "directory">,
): string | undefined {
  if (projectID !== project.id || !isInside(worktree, directory)) return undefined
  return relative(worktree, directory).replaceAll(sep, "/") || undefined
}
