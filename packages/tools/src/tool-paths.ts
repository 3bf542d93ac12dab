import { statSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import { isFileSystemRoot, isInProject, type PermissionNeed, type ProjectBounds, type ToolPlace, withPlainSecretNames } from "@pawl/core/tool"
import { boundsOf } from "./bounds-of.ts"
import { displayName } from "./display-name.ts"
import { createOnce, type Once } from "./once.ts"
import { isWithin, realTarget, relativeName, resolvePath } from "./paths.ts"
import { protectedNames } from "./protected/protected-names.ts"
import { refuseSpecial } from "./special-file.ts"

export interface ToolPath {
  /** As asked for, absolute. */
  readonly path: string
  /** The same on one line, for outputs and errors. */
  readonly shown: string
  /** Where it leads after all symbolic links: what is opened. */
  readonly target: string
  /** One line for titles: relative to the worktree. */
  readonly title: string
}

/** How one tool's paths are judged before a call, and once more when they are used. */
export interface ToolPaths {
  /**
   * The needs of touching `path`: `external_directory` first when it leads out of the project, then
   * `permission` (if given) for each name that the path has, and with `edit` `protected_file` for those of its names that
   * are protected. They propose nothing wider to be allowed always: what a person answers about one file is about that
   * file. Remembers for `input` where the path led; an input may have several paths, which look at the disk together
   * where they share `once`.
   */
  needs(input: object, path: string, place: ToolPlace, permission?: string, once?: Once): Promise<PermissionNeed[]>
  /**
   * Rejects when the path leads elsewhere than when `needs` judged it for the same input, and for what is no file or
   * directory of a disk.
   */
  use(input: object, path: string, place: ToolPlace): Promise<ToolPath>
}

export interface ToolPathsOptions {
  /** Absolute directories that need no `external_directory`: where the engine keeps what it shows to the model. */
  readonly trusted?: readonly string[]
}

export function createToolPaths({ trusted = [] }: ToolPathsOptions = {}): ToolPaths {
  // For each input the targets by path.
  const judged = new WeakMap<object, Map<string, string>>()
  return {
    async needs(input, path, place, permission, once = createOnce()) {
      const absolute = resolvePath(path, place)
      const target = await realTarget(absolute, once)
      const targets = judged.get(input) ?? new Map<string, string>()
      judged.set(input, targets.set(absolute, target))
      const [bounds, ...open] = await Promise.all([
        boundsOf(place, once),
        ...trusted.map((root) => realTarget(root, once)),
      ])
      const isInside = isInProject(target, bounds) || open.some((root) => isWithin(root, target))
      const needs = isInside ? [] : [once(`outside ${target}`, () => outsideNeed(target, bounds))]
      if (!permission) return needs
      const metadata = { filepath: absolute }
      const written = [relativeName(place.worktree, absolute), relativeName(bounds.worktree, target)]
      const names = new Set(
        permission === "read" ? written.flatMap((name) => [name, withPlainSecretNames(name)]) : written,
      )
      needs.push({ permission, patterns: [...names], metadata })
      if (permission !== "edit") return needs
      const patterns = await protectedNames({ path: absolute, target }, place, bounds, once)
      return patterns.length === 0 ? needs : [...needs, { permission: "protected_file", patterns, metadata }]
    },
    async use(input, path, place) {
      const absolute = resolvePath(path, place)
      const target = await realTarget(absolute)
      const before = judged.get(input)?.get(absolute)
      const shown = displayName(absolute)
      if (before !== undefined && before !== target) {
        throw new Error(
          `${shown} led to ${displayName(before)} when it was allowed and leads to ${displayName(target)} now. ` +
            "Call the tool again.",
        )
      }
      await refuseSpecial(target, shown)
      return { path: absolute, shown, target, title: displayName(relativeName(place.worktree, absolute)) }
    },
  }
}

function outsideNeed(target: string, bounds: ProjectBounds): PermissionNeed {
  const directory = isDirectory(target) ? target : dirname(target)
  // All of such a directory would be more than what lies next to the file outside.
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
