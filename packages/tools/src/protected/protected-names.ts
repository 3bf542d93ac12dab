import type { ToolPlace } from "@pawl/core/tool"
import { always, type Once } from "../once.ts"
import { isWithin, relativeName } from "../paths.ts"
import { isHook, isInRepository } from "./git-places.ts"
import { isProtected } from "./is-protected.ts"

export interface NamedFile {
  /** As asked for, absolute. */
  readonly path: string
  /** Where it leads, real. */
  readonly target: string
}

/**
 * The names of a file, relative to the worktree, under which writing to it needs `protected_file`: the one it was asked
 * for by and the one it leads to. Empty for a file that needs nothing of the kind. A further hard link to a protected
 * file cannot be told from any other file. `real` is `place` with its links resolved.
 */
export async function protectedNames(
  file: NamedFile,
  place: ToolPlace,
  real: ToolPlace,
  once: Once = always,
): Promise<readonly string[]> {
  const asked = isProtected(nameToJudge(file.path, place)) ? [relativeName(place.worktree, file.path)] : []
  const target = relativeName(real.worktree, file.target)
  const isTargetProtected =
    isProtected(nameToJudge(file.target, real)) ||
    (await isInRepository(file.target, rootOf(file.target, real), once)) ||
    (await isHook(file.target, real.worktree, once))
  return [...new Set([...asked, ...(isTargetProtected ? [target] : [])])]
}

/** Outside, the whole path counts; inside, what the worktree itself stands in does not. */
function nameToJudge(path: string, place: ToolPlace): string {
  const root = rootOf(path, place)
  return root === undefined ? path : relativeName(root, path)
}

function rootOf(path: string, { worktree, directory }: ToolPlace): string | undefined {
  return [worktree, directory].find((root) => isWithin(root, path))
}
