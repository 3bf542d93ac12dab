import type { PermissionAction } from "@pawl/core/permission"
import type { ToolContext } from "@pawl/core/tool"
import type { ToolPath } from "../tool-paths.ts"
import { confirmedPaths } from "./confirmed.ts"
import { COMMON_ARGS, runRipgrep } from "./ripgrep.ts"
import { inSearchPlace, withoutStart } from "./search-place.ts"

export interface FindFilesOptions {
  readonly program: string
  /** Of the search program, besides the usual ones. */
  readonly args: readonly string[]
  readonly context: ToolContext
  readonly limit: number
  /** Says what becomes of a path below the directory; what must be asked for is found, since its name alone is shown. */
  readonly judge: (path: string) => PermissionAction | "skip"
  /** The end of the error for a place that is a file. */
  readonly ifFile: string
}

export interface FilesFound {
  readonly found: readonly string[]
  readonly denied: ReadonlySet<string>
  /** Hidden files of the home directory were left out. */
  readonly hasHidden: boolean
  /** Some directories could not be read. */
  readonly isIncomplete: boolean
}

/** The files below a directory, by their paths relative to it, in the order of the search program. */
export async function findFiles(place: ToolPath, options: FindFilesOptions): Promise<FilesFound> {
  const { program, args, context, limit, judge, ifFile } = options
  return inSearchPlace(place, context, async ({ cwd, start, exclusions, isDirectory, hasHidden }) => {
    if (!isDirectory) throw new Error(`${place.shown} is a file. ${ifFile}`)
    const found: string[] = []
    const denied = new Set<string>()
    const { isIncomplete } = await runRipgrep({
      ...{ program, cwd, env: await context.env(), signal: context.signal, separator: "\0" },
      args: [...COMMON_ARGS, ...exclusions, ...args, "--files", "--null", "--", start],
      onRecord(record) {
        const path = withoutStart(record)
        const action = judge(path)
        if (action === "deny") denied.add(path)
        else if (action !== "skip") found.push(path)
        return found.length < limit
      },
    })
    return { found: await confirmedPaths(place.target, found), denied, hasHidden, isIncomplete }
  })
}
