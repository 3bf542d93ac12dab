import { lstat, realpath, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { mkdirSync } from "node:fs"
import { isFileSystemRoot } from "@pawl/core/tool"
import { inHeldDirectory } from "../file/held-parent.ts"
import { isWithin } from "../paths.ts"
import { hooksDirectory } from "../protected/git-places.ts"
import { guardedPaths } from "./guarded-places.ts"
import type { Mount } from "./mounts.ts"
import type { SandboxWorkspace } from "./sandbox.ts"

export interface ProjectAccessOptions extends Pick<SandboxWorkspace, "directory" | "worktree"> {
  /** Absolute paths that may be written in addition. Missing ones are ignored. */
  readonly writable: readonly string[]
}

/** Paths that a project's commands may write. Read while no command could change them. */
export interface ProjectAccess {
  /** Real paths of the project. */
  readonly roots: readonly string[]
  /** Real paths of the project and the other writable paths. */
  readonly open: readonly string[]
  readonly mounts: readonly Mount[]
}

export interface MachineMountsOptions {
  readonly cwd: string
  /** Absolute paths whose content is hidden. */
  readonly hidden: readonly string[]
  /** Absolute paths of sockets, or of directories with sockets, that may be used. Missing ones are ignored. */
  readonly sockets: readonly string[]
  /** Mounts that stay visible below a hidden path. */
  readonly shown: readonly Mount[]
}

/**
 * Finds what a project's commands may write and what in it stays read-only. Call it only while no command runs, because
 * a running command could replace a directory by a link before it is mounted.
 */
export async function projectAccess({ directory, worktree, writable }: ProjectAccessOptions): Promise<ProjectAccess> {
  // If the root of the file system counted as a project, the whole machine would be writable.
  const roots = (await existing([worktree, directory])).filter((path) => !isFileSystemRoot(path))
  const open = [...new Set([...roots, ...(await existing(writable))])]
  const mounts = [
    ...open.map((path): Mount => ({ type: "writable", path })),
    ...(await Promise.all(roots.map((root) => guards(root)))).flat(),
  ]
  return { roots, open, mounts: [...pins(mounts, open), ...mounts] }
}

/** Removes mounts that no longer exist. */
export async function withoutMissing(access: ProjectAccess): Promise<ProjectAccess> {
  const stats = await Promise.all(access.mounts.map(({ path }) => lstat(path).catch(() => undefined)))
  return { ...access, mounts: access.mounts.filter((_, index) => stats[index] !== undefined) }
}

/** Returns the mounts that hide parts of the machine. */
export async function machineMounts(
  { open }: ProjectAccess,
  { cwd, hidden, sockets, shown }: MachineMountsOptions,
): Promise<readonly Mount[]> {
  const used = await Promise.all(sockets.map(resolvedName))
  const allowed = used.flatMap((each) => each ?? [])
  const secrets = await existing(hidden)
  // Paths that the user allowed explicitly are not hidden.
  const masked = secrets.filter((path) => !open.includes(path) && !allowed.some(({ from }) => isWithin(from, path)))
  const masks = (await Promise.all(masked.map(toMask))).flat()
  return [
    ...masks.filter(({ path }) => !isCovered(path, masks, open)),
    ...shown,
    ...allowed.flatMap(({ path, from }): Mount[] => [readOnly(from), { type: "read-only", path, from }]),
    // The start directory may be outside of all this. It is visible but read-only.
    ...(await existing([cwd])).filter((path) => !isBelow(path, open) && !isFileSystemRoot(path)).map(readOnly),
  ]
}

/** Resolves the parent directory but keeps the name that programs use. `from` is the real path. */
async function resolvedName(path: string): Promise<{ readonly path: string; readonly from: string } | undefined> {
  try {
    const [parent, from] = await Promise.all([realpath(dirname(path)), realpath(path)])
    return { path: join(parent, path.slice(dirname(path).length)), from }
  } catch {
    return undefined
  }
}

/**
 * A mounted directory cannot be renamed, but its parent can, and a new one could take its name. So each directory
 * between a writable mount and a mount within it becomes a mount too.
 */
function pins(mounts: readonly Mount[], open: readonly string[]): readonly Mount[] {
  const between = mounts.flatMap(({ path }) => {
    const above: string[] = []
    for (let at = dirname(path); at !== dirname(at); at = dirname(at)) above.push(at)
    return above.filter((at) => open.some((root) => root !== at && isWithin(root, at)))
  })
  return [...new Set(between)].map((path): Mount => ({ type: "writable", path }))
}

/** Returns distinct real paths of those that exist and can be reached. */
async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)))
  return [...new Set(found.filter((path) => path !== undefined))]
}

/** Returns true if a masked parent directory already hides the path and no writable mount in between shows it. */
export function isCovered(path: string, masks: readonly Mount[], open: readonly string[]): boolean {
  const above = masks.filter((mask) => mask.path !== path && isWithin(mask.path, path))
  return above.some((mask) => !open.some((root) => isWithin(mask.path, root) && isWithin(root, path)))
}

async function toMask(path: string): Promise<readonly Mount[]> {
  const found = await stat(path).catch(() => undefined)
  // A socket may have been closed since.
  if (!found) return []
  return [{ type: found.isDirectory() ? "empty-directory" : "empty-file", path }]
}

function isBelow(path: string, others: readonly string[]): boolean {
  return others.some((other) => isWithin(other, path))
}

function readOnly(path: string): Mount {
  return { type: "read-only", path }
}

async function guards(root: string): Promise<readonly Mount[]> {
  const git = await lstat(join(root, ".git")).catch(() => undefined)
  // Mounted so that it cannot be renamed and replaced by a directory with other hooks.
  const repository: readonly Mount[] = git?.isDirectory() ? [{ type: "writable", path: join(root, ".git") }] : []
  // Only existing files can be made read-only.
  if (git?.isDirectory()) await makeHooks(join(root, ".git")).catch(() => undefined)
  // In a linked worktree, `.git` is a file with the repository's path.
  const pointer = git?.isFile() ? [join(root, ".git")] : []
  const hooks = await hooksDirectory(root)
  const paths = await existing([...pointer, ...guardedPaths(root), ...(hooks === undefined ? [] : [hooks])])
  // A link that leads out of the project is read-only anyway.
  return [...repository, ...paths.filter((path) => isWithin(root, path) && dirname(path) !== path).map(readOnly)]
}

async function makeHooks(repository: string): Promise<void> {
  await inHeldDirectory(repository, (held) => mkdirSync(held.at("hooks"), { recursive: true }))
}
