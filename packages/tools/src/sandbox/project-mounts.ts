import { lstat, realpath, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { mkdirSync } from "node:fs"
import { isFileSystemRoot } from "@pawl/core/tool"
import { inHeldDirectory } from "../file/held-parent.ts"
import { isWithin } from "../paths.ts"
import { hooksPlace } from "../protected/git-places.ts"
import { guardedPlaces } from "./guarded-places.ts"
import type { Mount } from "./mounts.ts"
import type { SandboxPlace } from "./sandbox.ts"

export interface ProjectPlacesOptions extends Pick<SandboxPlace, "directory" | "worktree"> {
  /** Further places that may be written; absolute. What does not exist is passed over. */
  readonly writable: readonly string[]
}

/** What a project's commands may write, as it was on the disk when nothing could change it meanwhile. */
export interface ProjectPlaces {
  /** Real paths of the project. */
  readonly roots: readonly string[]
  /** Real paths of the project and the other writable places. */
  readonly open: readonly string[]
  readonly mounts: readonly Mount[]
}

export interface MachineMountsOptions {
  readonly cwd: string
  /** Places whose contents are not to be seen; absolute. */
  readonly hidden: readonly string[]
  /** Sockets, or directories of sockets, that may be used; absolute. What does not exist is passed over. */
  readonly sockets: readonly string[]
  /** What must be seen although it lies in a hidden place. */
  readonly shown: readonly Mount[]
}

/**
 * What a project's commands may write and what in it stays as it is. A running command could swap a directory that is
 * about to be mounted with a link to elsewhere, so look only while none runs.
 */
export async function projectPlaces({ directory, worktree, writable }: ProjectPlacesOptions): Promise<ProjectPlaces> {
  // The root of the file system is no project: all of the machine would be writable.
  const roots = (await existing([worktree, directory])).filter((path) => !isFileSystemRoot(path))
  const open = [...new Set([...roots, ...(await existing(writable))])]
  const mounts = [
    ...open.map((path): Mount => ({ type: "writable", path })),
    ...(await Promise.all(roots.map((root) => guards(root)))).flat(),
  ]
  return { roots, open, mounts: [...pins(mounts, open), ...mounts] }
}

/** Without what the user has removed since. */
export async function withoutMissing(places: ProjectPlaces): Promise<ProjectPlaces> {
  const stats = await Promise.all(places.mounts.map(({ path }) => lstat(path).catch(() => undefined)))
  return { ...places, mounts: places.mounts.filter((_, index) => stats[index] !== undefined) }
}

/** What commands may not see of the machine. */
export async function machineMounts(
  { open }: ProjectPlaces,
  { cwd, hidden, sockets, shown }: MachineMountsOptions,
): Promise<readonly Mount[]> {
  const used = await Promise.all(sockets.map(namedPlace))
  const allowed = used.flatMap((place) => place ?? [])
  const secrets = await existing(hidden)
  // Said by name that it may be written or used: it is not hidden.
  const masked = secrets.filter((path) => !open.includes(path) && !allowed.some(({ from }) => isWithin(from, path)))
  const masks = (await Promise.all(masked.map(toMask))).flat()
  return [
    ...masks.filter(({ path }) => !isCovered(path, masks, open)),
    ...shown,
    ...allowed.flatMap(({ path, from }): Mount[] => [readOnly(from), { type: "read-only", path, from }]),
    // Where the command starts may have been allowed outside of all this: to be seen, not to be written.
    ...(await existing([cwd])).filter((path) => !isBelow(path, open) && !isFileSystemRoot(path)).map(readOnly),
  ]
}

/** A place by the name that programs use, below a real directory, and by where it leads. */
async function namedPlace(path: string): Promise<{ readonly path: string; readonly from: string } | undefined> {
  try {
    const [parent, from] = await Promise.all([realpath(dirname(path)), realpath(path)])
    return { path: join(parent, path.slice(dirname(path).length)), from }
  } catch {
    return undefined
  }
}

/**
 * A place of its own cannot be renamed, but a directory above it can, and another one with the same name take its place.
 * So each directory between a writable place and one within it becomes a place of its own.
 */
function pins(mounts: readonly Mount[], open: readonly string[]): readonly Mount[] {
  const between = mounts.flatMap(({ path }) => {
    const above: string[] = []
    for (let at = dirname(path); at !== dirname(at); at = dirname(at)) above.push(at)
    return above.filter((at) => open.some((root) => root !== at && isWithin(root, at)))
  })
  return [...new Set(between)].map((path): Mount => ({ type: "writable", path }))
}

/** Links resolved, each once, without what is missing or not to be reached. */
async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)))
  return [...new Set(found.filter((path) => path !== undefined))]
}

/** Cannot be seen anyway, since a directory above it is empty, and no writable place in between shows it again. */
export function isCovered(path: string, masks: readonly Mount[], open: readonly string[]): boolean {
  const above = masks.filter((mask) => mask.path !== path && isWithin(mask.path, path))
  return above.some((mask) => !open.some((place) => isWithin(mask.path, place) && isWithin(place, path)))
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
  // A place of its own cannot be renamed: otherwise another directory with other hooks could take its name.
  const repository: readonly Mount[] = git?.isDirectory() ? [{ type: "writable", path: join(root, ".git") }] : []
  // Only what is there can be kept as it is.
  if (git?.isDirectory()) await makeHooks(join(root, ".git")).catch(() => undefined)
  // In a linked work tree it is a file that tells where the repository is.
  const pointer = git?.isFile() ? [join(root, ".git")] : []
  const hooks = await hooksPlace(root)
  const places = await existing([...pointer, ...guardedPlaces(root), ...(hooks === undefined ? [] : [hooks])])
  // What is a link that leads out of the project is read-only there anyway.
  return [...repository, ...places.filter((path) => isWithin(root, path) && dirname(path) !== path).map(readOnly)]
}

async function makeHooks(repository: string): Promise<void> {
  await inHeldDirectory(repository, (held) => mkdirSync(held.at("hooks"), { recursive: true }))
}
