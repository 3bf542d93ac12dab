import { stat } from "node:fs/promises"
import { basename, dirname } from "node:path"
import type { ToolPath } from "../tool-paths.ts"

export interface SearchPlace {
  /** Where the search program runs. */
  readonly cwd: string
  /** What it searches, relative to `cwd`: it begins with `./`, so that no name is taken for an option. */
  readonly start: string
  readonly isDirectory: boolean
  /** In bytes, of a file. */
  readonly size: number
  /** Arguments that leave out what is no part of a disk, where reading may never end. */
  readonly exclusions: readonly string[]
}

export async function searchPlace({ shown, target }: ToolPath): Promise<SearchPlace> {
  const found = await stat(target).catch(() => undefined)
  if (found?.isDirectory())
    return { cwd: target, start: "./", isDirectory: true, size: 0, exclusions: exclusionsIn(target) }
  if (found?.isFile()) {
    return {
      cwd: dirname(target),
      start: `./${basename(target)}`,
      isDirectory: false,
      size: found.size,
      exclusions: [],
    }
  }
  throw new Error(
    found ? `${shown} is neither a file nor a directory.` : `Path not found: ${shown}. Use list to see what there is.`,
  )
}

function exclusionsIn(directory: string): readonly string[] {
  return directory === "/" ? ["/proc", "/sys", "/dev"].map((place) => `--glob=!${place}`) : []
}

/** A path as the search program prints it, without the `./` that it was given. */
export function withoutStart(path: string): string {
  return path.startsWith("./") ? path.slice(2) : path
}
