import { homedir } from "node:os"
import type { ProjectBounds, ToolPlace } from "@pawl/core/tool"
import { always, type Once } from "./once.ts"
import { realTarget } from "./paths.ts"

/** Where a project ends: its worktree, its directory and the home directory of this process, links resolved. */
export async function boundsOf(
  { worktree, directory }: ToolPlace,
  once: Once = always,
): Promise<ProjectBounds & { readonly worktree: string; readonly directory: string }> {
  const [root, start, home] = await Promise.all([
    realTarget(worktree, once),
    realTarget(directory, once),
    realTarget(homedir(), once),
  ])
  return { worktree: root, directory: start, roots: [root, start], home }
}
