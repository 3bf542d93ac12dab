import type { PermissionAction } from "@pawl/core/permission"
import type { ToolContext } from "@pawl/core/tool"
import type { ToolPath } from "../tool-paths.ts"
import { confirmedPaths } from "./confirmed.ts"
import { COMMON_ARGS, runRipgrep } from "./ripgrep.ts"
import { withSearchTarget, withoutStart } from "./search-place.ts"

export interface FindFilesOptions {
  readonly program: string
  /** Additional arguments for the search program. */
  readonly args: readonly string[]
  readonly context: ToolContext
  readonly limit: number
  /** Decides about a path below the directory. `ask` counts as `allow`, because only the name is shown. */
  readonly judge: (path: string) => PermissionAction | "skip"
  /** End of the error for a path that is a file. */
  readonly ifFile: string
}

export interface FilesFound {
  readonly found: readonly string[]
  readonly denied: ReadonlySet<string>
  /** Set if hidden files of the home directory were left out. */
  readonly hasHidden: boolean
  /** Set if some directories could not be read. */
  readonly isIncomplete: boolean
}

/** Returns files below a directory, relative to it, in the order of the search program. */
export async function findFiles(directory: ToolPath, options: FindFilesOptions): Promise<FilesFound> {
  const { program, args, context, limit, judge, ifFile } = options
  return withSearchTarget(directory, context, async ({ cwd, start, exclusions, isDirectory, hasHidden }) => {
    if (!isDirectory) throw new Error(`${directory.shown} is a file. ${ifFile}`)
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
    return { found: await confirmedPaths(directory.target, found), denied, hasHidden, isIncomplete }
  })
}
