import type { PermissionNeed } from "@pawl/core/tool"
import { displayName } from "../display-name.ts"
import { relativeName, resolvePath } from "../paths.ts"
import type { ToolPaths } from "../tool-paths.ts"
import { isDirectory, type SessionWorkspace, type SessionDirectories } from "./session-directories.ts"

/** Decides where commands start, and tracks where they end. */
export interface StartDirectories {
  /** Returns where the call will start, and the permissions for it. Applies to this call only. */
  judge(
    call: StartCall,
    workspace: SessionWorkspace,
  ): Promise<{ readonly cwd: string; readonly needs: readonly PermissionNeed[] }>
  /** Returns the absolute path of the directory where the call starts, as judged. */
  of(call: StartCall, workspace: SessionWorkspace): string
  /** Returns the real path of the start directory. Rejects if it is not a directory or has changed since `judge`. */
  use(call: StartCall, workspace: SessionWorkspace): Promise<string>
  /** Records where a command ended. Returns a message for the model. */
  ended(workspace: SessionWorkspace, from: string, to: string): Promise<string | undefined>
}

export interface StartCall {
  readonly workdir?: string | undefined
}

export interface StartDirectoriesOptions {
  readonly paths: ToolPaths
  readonly directories: SessionDirectories
}

export function createStartDirectories({ paths, directories }: StartDirectoriesOptions): StartDirectories {
  // Another call may end in another directory between `judge` and `use`.
  const judged = new WeakMap<StartCall, string>()
  const startOf = (call: StartCall, workspace: SessionWorkspace) =>
    judged.get(call) ?? call.workdir ?? directories.next(workspace)
  return {
    async judge(call, workspace) {
      const start = call.workdir ?? directories.next(workspace)
      judged.set(call, start)
      const cwd = resolvePath(start, workspace)
      const needs = await paths.needs(call, start, workspace)
      // Starting in the workspace's directory shows nothing of it, so it needs no permission even outside of a project.
      return { cwd, needs: cwd === resolvePath(".", workspace) ? [] : needs }
    },
    of: (call, workspace) => resolvePath(startOf(call, workspace), workspace),
    async use(call, workspace) {
      const { shown, target } = await paths.use(call, startOf(call, workspace), workspace)
      if (await isDirectory(target)) return target
      if (call.workdir !== undefined) {
        throw new Error(`Working directory not found: ${shown}. Give a workdir that is an existing directory.`)
      }
      directories.reset(workspace)
      throw new Error(
        `Working directory not found: ${shown}, where the last command ended. The next one starts in ${workspace.directory}.`,
      )
    },
    async ended(workspace, from, to) {
      const move = await directories.ended(workspace, from, to)
      if (move.type === "stayed") return undefined
      const name = displayName(relativeName(workspace.directory, move.to))
      if (move.type === "moved") return `The next command starts in ${name}.`
      return `${displayName(move.to)} is outside of the project: the next command starts in ${workspace.directory}.`
    },
  }
}
