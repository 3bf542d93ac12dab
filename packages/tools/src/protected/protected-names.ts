import type { ToolLocation } from "@pawl/core/tool"
import { uncached, type Once } from "../once.ts"
import { isWithin, relativeName } from "../paths.ts"
import { isHook, isInRepository } from "./git-places.ts"
import { isProtected } from "./is-protected.ts"

export interface NamedFile {
  /** The requested path, made absolute. */
  readonly path: string
  /** Real path. */
  readonly target: string
}

/**
 * Returns the names of a file, relative to the worktree, for which writing needs `protected_file`: the requested name
 * and the name of its target. Cannot detect another hard link to a protected file. `real` is `place` with links
 * resolved.
 */
export async function protectedNames(
  file: NamedFile,
  location: ToolLocation,
  real: ToolLocation,
  once: Once = uncached,
): Promise<readonly string[]> {
  const requested = isProtected(nameToJudge(file.path, location)) ? [relativeName(location.worktree, file.path)] : []
  const target = relativeName(real.worktree, file.target)
  const isTargetProtected =
    isProtected(nameToJudge(file.target, real)) ||
    (await isInRepository(file.target, rootOf(file.target, real), once)) ||
    (await isHook(file.target, real.worktree, once))
  return [...new Set([...requested, ...(isTargetProtected ? [target] : [])])]
}

/** Inside the workspace, directories above the root do not count. */
function nameToJudge(path: string, location: ToolLocation): string {
  const root = rootOf(path, location)
  return root === undefined ? path : relativeName(root, path)
}

function rootOf(path: string, { worktree, directory }: ToolLocation): string | undefined {
  return [worktree, directory].find((root) => isWithin(root, path))
}
