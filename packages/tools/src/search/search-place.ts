import { constants } from "node:fs/promises"
import { relative, sep } from "node:path"
import { hiddenLevels, isInProject, type ProjectBounds, type ToolPlace } from "@pawl/core/tool"
import { boundsOf } from "../bounds-of.ts"
import { inHeldDirectory, inHeldParent } from "../file/held-parent.ts"
import { isMissing } from "../paths.ts"
import type { ToolPath } from "../tool-paths.ts"

export interface SearchPlace {
  /** Where the search program runs. */
  readonly cwd: string
  /** What it searches: `./`, or `-` for a file that it reads from its input. */
  readonly start: string
  /** The descriptor of the file; undefined for a directory. */
  readonly input: number | undefined
  readonly isDirectory: boolean
  /** In bytes, of a file. */
  readonly size: number
  /** Arguments that leave out what is no part of a disk, where reading may never end, and what lies outside of the project. */
  readonly exclusions: readonly string[]
  /** Set where hidden files of a project that holds the home directory are left out. */
  readonly hasHidden: boolean
}

/**
 * Runs `work` while the file or directory is held open: what takes the place of its path meanwhile is not searched. Rejects
 * as `work` does.
 */
export async function inSearchPlace<Result>(
  { shown, target }: ToolPath,
  project: ToolPlace,
  work: (place: SearchPlace) => Promise<Result>,
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
    // A named pipe that has just taken the file's place would hold the call up.
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
  return directory === "/" ? ["/proc", "/sys", "/dev"].map((place) => `--glob=!${place}`) : []
}

/** Globs for the hidden names below a directory of a project that do not belong to it. */
function hiddenBelow(directory: string, bounds: ProjectBounds): readonly string[] {
  if (!isInProject(directory, bounds)) return []
  const levels = bounds.roots.map((root) => {
    const way = relative(root, directory)
    if (way.startsWith("..")) return 0
    return hiddenLevels(root, bounds.home) - way.split(sep).filter((name) => name !== "").length
  })
  // By the narrowest root: what lies outside of one may be inside of the other.
  const below = Math.max(0, ...levels)
  return Array.from({ length: below }, (_, level) => `--glob=!/${"*/".repeat(level)}.*`)
}

/** A path as the search program prints it, without the `./` that it was given. */
export function withoutStart(path: string): string {
  return path.startsWith("./") ? path.slice(2) : path
}
