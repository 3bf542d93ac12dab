import { statSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import {
  isFileSystemRoot,
  isInProject,
  type PermissionNeed,
  type ProjectBounds,
  type ToolLocation,
  withPlainSecretNames,
} from "@pawl/core/tool"
import { boundsOf } from "./bounds-of.ts"
import { displayName } from "./display-name.ts"
import { createOnce, type Once } from "./once.ts"
import { isWithin, realTarget, relativeName, resolvePath } from "./paths.ts"
import { protectedNames } from "./protected/protected-names.ts"
import { refuseSpecial } from "./special-file.ts"

export interface ToolPath {
  /** The requested path, made absolute. */
  readonly path: string
  /** `path` on one line, for outputs and errors. */
  readonly shown: string
  /** `path` with all symbolic links resolved. This path is opened. */
  readonly target: string
  /** Relative to the worktree, on one line, for titles. */
  readonly title: string
}

/** Checks a tool's paths before a call, and again when they are used. */
export interface ToolPaths {
  /**
   * Returns the permissions that touching `path` needs: `external_directory` first if it leads out of the project, then
   * `permission` (if set) for each name of the path, and with `edit` also `protected_file` for its protected names.
   * They offer no wider rule to allow always, because an answer about one file covers only this file. Remembers the
   * path's target for `input`, which may have several paths. Calls that share `once` share file system lookups.
   */
  needs(
    input: object,
    path: string,
    workspace: ToolLocation,
    permission?: string,
    once?: Once,
  ): Promise<PermissionNeed[]>
  /**
   * Rejects if the path's target has changed since `needs` was called for the same input, or if the path is not a
   * regular file or directory on a disk.
   */
  use(input: object, path: string, workspace: ToolLocation): Promise<ToolPath>
}

export interface ToolPathsOptions {
  /** Absolute directories that need no `external_directory`, such as the engine's own outputs. */
  readonly trusted?: readonly string[]
}

export function createToolPaths({ trusted = [] }: ToolPathsOptions = {}): ToolPaths {
  // Targets by absolute path, per input.
  const targetsOf = new WeakMap<object, Map<string, string>>()
  return {
    async needs(input, path, workspace, permission, once = createOnce()) {
      const absolute = resolvePath(path, workspace)
      const target = await realTarget(absolute, once)
      const targets = targetsOf.get(input) ?? new Map<string, string>()
      targetsOf.set(input, targets.set(absolute, target))
      const [bounds, ...open] = await Promise.all([
        boundsOf(workspace, once),
        ...trusted.map((root) => realTarget(root, once)),
      ])
      const isInside = isInProject(target, bounds) || open.some((root) => isWithin(root, target))
      const needs = isInside ? [] : [once(`outside ${target}`, () => outsideNeed(target, bounds))]
      if (!permission) return needs
      const metadata = { filepath: absolute }
      const written = [relativeName(workspace.worktree, absolute), relativeName(bounds.worktree, target)]
      const names = new Set(
        permission === "read" ? written.flatMap((name) => [name, withPlainSecretNames(name)]) : written,
      )
      needs.push({ permission, patterns: [...names], metadata })
      if (permission !== "edit") return needs
      const patterns = await protectedNames({ path: absolute, target }, workspace, bounds, once)
      return patterns.length === 0 ? needs : [...needs, { permission: "protected_file", patterns, metadata }]
    },
    async use(input, path, workspace) {
      const absolute = resolvePath(path, workspace)
      const target = await realTarget(absolute)
      const before = targetsOf.get(input)?.get(absolute)
      const shown = displayName(absolute)
      if (before !== undefined && before !== target) {
        throw new Error(
          `${shown} led to ${displayName(before)} when it was allowed and leads to ${displayName(target)} now. ` +
            "Call the tool again.",
        )
      }
      await refuseSpecial(target, shown)
      return { path: absolute, shown, target, title: displayName(relativeName(workspace.worktree, absolute)) }
    },
  }
}

function outsideNeed(target: string, bounds: ProjectBounds): PermissionNeed {
  const directory = isDirectory(target) ? target : dirname(target)
  // The directory's other files belong to the project or are the whole disk, so ask for this file alone.
  const isAlone = directory !== target && (isInProject(directory, bounds) || isFileSystemRoot(directory))
  const pattern = isAlone ? target : join(directory, "*")
  const patterns = [pattern.replaceAll(sep, "/")]
  return { permission: "external_directory", patterns, metadata: { filepath: target, directory } }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}
