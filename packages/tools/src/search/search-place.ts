import { constants } from "node:fs/promises"
import { relative, sep } from "node:path"
import { hiddenLevels, isInProject, type ProjectBounds, type ToolLocation } from "@pawl/core/tool"
import { boundsOf } from "../bounds-of.ts"
import { inHeldDirectory, inHeldParent } from "../file/held-parent.ts"
import { isMissing } from "../paths.ts"
import type { ToolPath } from "../tool-paths.ts"

export interface SearchTarget {
  /** Working directory of the search program. */
  readonly cwd: string
  /** Argument for the search program: `./`, or `-` for a file on stdin. */
  readonly start: string
  /** File descriptor for stdin; undefined for a directory. */
  readonly input: number | undefined
  readonly isDirectory: boolean
  /** Size of the file in bytes. */
  readonly size: number
  /** Arguments that exclude kernel file systems, where reading may never end, and files outside of the project. */
  readonly exclusions: readonly string[]
  /** Set if hidden files of the home directory are left out. */
  readonly hasHidden: boolean
}

/**
 * Calls `work` while the file or directory is held open, so that a swapped path is not searched. Rejects if `work`
 * rejects.
 */
export async function withSearchTarget<Result>(
  { shown, target }: ToolPath,
  project: ToolLocation,
  work: (target: SearchTarget) => Promise<Result>,
): Promise<Result> {
  const isDirectory = await inHeldParent(target, (held, name) => held.stat(name)?.isDirectory()).catch(unlessMissing)
  if (isDirectory === undefined) throw new Error(`Path not found: ${shown}. Use list to see what there is.`)
  if (isDirectory) {
    const hidden = hiddenBelow(target, await boundsOf(project))
    return inHeldDirectory(target, (held) => {
      const directory = { start: "./", input: undefined, isDirectory: true, size: 0 }
      const exclusions = [...exclusionsIn(target), ...hidden]
      return work({ ...directory, cwd: held.at("."), exclusions, hasHidden: hidden.length > 0 })
    })
  }
  return inHeldParent(target, async (held, name) => {
    // Without O_NONBLOCK, opening would block if the file was replaced by a named pipe.
    const handle = await held.open(name, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const found = await handle.stat()
      if (!found.isFile()) throw new Error(`${shown} is neither a file nor a directory.`)
      const file = { start: "-", input: handle.fd, isDirectory: false, size: found.size }
      return await work({ ...file, cwd: held.at("."), exclusions: [], hasHidden: false })
    } finally {
      await handle.close()
    }
  })
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

function exclusionsIn(directory: string): readonly string[] {
  return directory === "/" ? ["/proc", "/sys", "/dev"].map((path) => `--glob=!${path}`) : []
}

/** Returns globs for hidden names below a project directory that do not belong to the project. */
function hiddenBelow(directory: string, bounds: ProjectBounds): readonly string[] {
  if (!isInProject(directory, bounds)) return []
  const levels = bounds.roots.map((root) => {
    const way = relative(root, directory)
    if (way.startsWith("..")) return 0
    return hiddenLevels(root, bounds.home) - way.split(sep).filter((name) => name !== "").length
  })
  // The narrowest root decides, because a path outside of one root may lie inside of another.
  const below = Math.max(0, ...levels)
  return Array.from({ length: below }, (_, level) => `--glob=!/${"*/".repeat(level)}.*`)
}

/** Removes the leading `./` of a path from the search program. */
export function withoutStart(path: string): string {
  return path.startsWith("./") ? path.slice(2) : path
}
