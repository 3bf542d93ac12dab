import { join } from "node:path"
import type { PermissionAction } from "@pawl/core/permission"
import { type ToolContext, withPlainSecretNames } from "@pawl/core/tool"
import { realTarget, relativeName } from "../paths.ts"
import type { ToolPath } from "../tool-paths.ts"

/**
 * Returns a function that decides if a file below a directory may be read, because a search needs permission for the
 * directory only. Paths are relative to the directory. Decides once per path.
 */
export async function createFoundFiles(
  context: ToolContext,
  { path: directory, target }: Pick<ToolPath, "path" | "target">,
): Promise<(path: string) => PermissionAction> {
  const [judge, worktree] = await Promise.all([context.judgeReads(), realTarget(context.worktree)])
  const known = new Map<string, PermissionAction>()
  return (path) => {
    const found = known.get(path)
    if (found) return found
    const names = [
      relativeName(context.worktree, join(directory, path)),
      relativeName(worktree, join(target, path)),
    ].flatMap((name) => [name, withPlainSecretNames(name)])
    const action = judge([...new Set(names)])
    known.set(path, action)
    return action
  }
}
