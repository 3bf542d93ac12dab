import { homedir } from "node:os"
import type { ProjectBounds, ToolLocation } from "@pawl/core/tool"
import { uncached, type Once } from "./once.ts"
import { realTarget } from "./paths.ts"

/** Returns the real paths of the worktree, the directory and this process's home directory. */
export async function boundsOf(
  { worktree, directory }: ToolLocation,
  once: Once = uncached,
): Promise<ProjectBounds & { readonly worktree: string; readonly directory: string }> {
  const [root, start, home] = await Promise.all([
    realTarget(worktree, once),
    realTarget(directory, once),
    realTarget(homedir(), once),
  ])
  return { worktree: root, directory: start, roots: [root, start], home }
}
