import { lstat, mkdir, realpath, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { isWithin } from "../paths.ts"
import { hooksPlace } from "../protected/git-places.ts"
import { guardedPlaces } from "./guarded-places.ts"
import type { Mount } from "./mounts.ts"
import type { SandboxPlace } from "./sandbox.ts"

export interface ProjectMountsOptions extends SandboxPlace {
  /** Further places that may be written; absolute. What does not exist is passed over. */
  readonly writable: readonly string[]
  /** Places whose contents are not to be seen; absolute. */
  readonly hidden: readonly string[]
}

/** What a project's commands may write and may not see, as it is on the disk now. */
export async function projectMounts(options: ProjectMountsOptions): Promise<readonly Mount[]> {
  const { directory, worktree, cwd, writable, hidden } = options
  const roots = await existing([worktree, directory])
  const open = [...new Set([...roots, ...(await existing(writable))])]
  const secrets = await existing(hidden)
  // Said by name that it may be written: it is not hidden.
  const masked = secrets.filter((path) => !open.includes(path))
  return [
    ...(await Promise.all(masked.map(toMask))),
    // Where the command starts may have been allowed outside of all this: to be seen, not to be written.
    ...(await existing([cwd])).filter((path) => !isBelow(path, open)).map(readOnly),
    ...open.map((path): Mount => ({ type: "writable", path })),
    ...(await Promise.all(roots.map((root) => guards(root)))).flat(),
  ]
}

/** Links resolved, each once, without what is missing or not to be reached. */
async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)))
  return [...new Set(found.filter((path) => path !== undefined))]
}

async function toMask(path: string): Promise<Mount> {
  return { type: (await stat(path)).isDirectory() ? "empty-directory" : "empty-file", path }
}

function isBelow(path: string, others: readonly string[]): boolean {
  return others.some((other) => isWithin(other, path))
}

function readOnly(path: string): Mount {
  return { type: "read-only", path }
}

async function guards(root: string): Promise<readonly Mount[]> {
  const git = await lstat(join(root, ".git")).catch(() => undefined)
  // A place of its own cannot be renamed: otherwise another directory with other hooks could take its name.
  const repository: readonly Mount[] = git?.isDirectory() ? [{ type: "writable", path: join(root, ".git") }] : []
  // Only what is there can be kept as it is.
  if (git?.isDirectory()) await mkdir(join(root, ".git", "hooks"), { recursive: true }).catch(() => undefined)
  // In a linked work tree it is a file that tells where the repository is.
  const pointer = git?.isFile() ? [join(root, ".git")] : []
  const hooks = await hooksPlace(root)
  const places = await existing([...pointer, ...guardedPlaces(root), ...(hooks === undefined ? [] : [hooks])])
  // What is a link that leads out of the project is read-only there anyway.
  return [...repository, ...places.filter((path) => isWithin(root, path) && dirname(path) !== path).map(readOnly)]
}
