import { lstat, readdir, realpath } from "node:fs/promises"
import { join } from "node:path"
import { hiddenLevels, isInProject } from "@pawl/core/tool"
import type { Mount } from "./mounts.ts"

/**
 * Files that the user's shells and programs run at start. Commands must not create them in a project that contains the
 * home directory.
 */
const START_FILES = [
  ".bashrc",
  ".bash_aliases",
  ".bash_login",
  ".bash_logout",
  ".bash_profile",
  ".profile",
  ".zlogin",
  ".zlogout",
  ".zprofile",
  ".zshenv",
  ".zshrc",
  ".gitconfig",
  ".pam_environment",
  ".config",
  ".local",
  ".ssh",
]

/** Masks hidden files of a project that contains the home directory, except its repository. All paths are real. */
export async function homeMasks(roots: readonly string[], home: string): Promise<readonly Mount[]> {
  const hidden = await Promise.all(roots.map((root) => hiddenBelow(root, hiddenLevels(root, home))))
  const targets = await Promise.all(hidden.flat().map((path) => realpath(path).catch(() => undefined)))
  // A link into the rest of the project hides nothing.
  const outside = targets.filter((path) => path !== undefined && !isInProject(path, { roots, home }))
  const masks = [...new Set(outside)].map(async (path = ""): Promise<Mount> => {
    const isDirectory = (await lstat(path).catch(() => undefined))?.isDirectory() === true
    return { type: isDirectory ? "empty-directory" : "empty-file", path }
  })
  return Promise.all(masks)
}

/**
 * Returns absolute paths in a project with the home directory at which no new file may stay, whether or not they exist.
 */
export function homeStartPaths(roots: readonly string[], home: string): readonly string[] {
  return roots.some((root) => hiddenLevels(root, home) > 0) ? START_FILES.map((name) => join(home, name)) : []
}

async function hiddenBelow(directory: string, levels: number): Promise<readonly string[]> {
  if (levels === 0) return []
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const isHidden = (name: string) => name.startsWith(".") && name !== ".git"
  const below = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
  const further = await Promise.all(below.map(({ name }) => hiddenBelow(join(directory, name), levels - 1)))
  const own = entries.filter(({ name }) => isHidden(name)).map(({ name }) => join(directory, name))
  return [...own, ...further.flat()]
}
