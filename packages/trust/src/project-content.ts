import { createHash } from "node:crypto"
import { readFile, realpath, stat } from "node:fs/promises"
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { CONTENT_DIRECTORIES, CONTENT_FILES } from "./content-kind.ts"
import {
  type ContentReader,
  createContentReader,
  type ReaderLimits,
  type ReadFile,
  UnjudgedContent,
} from "./content-reader.ts"
import { candidates, namedFiles, packageNames } from "./named-files.ts"

/** Everything that a project supplies which could run code, redirect requests or change what may be done. Not what plugins keep. */
export interface ProjectContent {
  /** Absolute, without links: where pawl works. */
  readonly directory: string
  /** The same of the work tree's root. */
  readonly worktree: string
  /** The root as it was given, with links: where the paths of configuration files begin. */
  readonly root: string
  /** In the order of their paths. */
  readonly files: readonly ReadFile[]
  /** SHA-256 over names, kinds, links and contents, in hexadecimal. */
  readonly hash: string
  /** Why it cannot be judged, and so not trusted. */
  readonly problem?: string
  /**
   * Places, nearest first, whose trust holds here for the same content, because this worktree was created there for the user.
   * Set by the caller.
   */
  readonly origins?: readonly ContentLocation[]
}

/** A working directory and the root of its work tree. Both are absolute and without links. */
export type ContentLocation = Pick<ProjectContent, "directory" | "worktree">

/** Limit of names to follow in all files together. */
const MAX_NAMES = 5000

const LIMITS: ReaderLimits = { files: 5000, entries: 50_000, directories: 5000, bytes: 32 * 1024 * 1024 }

/**
 * Looks in every directory from the work tree's root down to the one given. Besides what is read by its name, that is what
 * configuration names and code imports, as far as it is in the work tree and can be seen without running anything.
 */
export async function projectContent(
  given: { readonly directory: string; readonly worktree: string },
  limits: ReaderLimits = LIMITS,
): Promise<ProjectContent> {
  const [directory, worktree] = await Promise.all([realpath(given.directory), realpath(given.worktree)])
  const reader = createContentReader(worktree, limits)
  let problem: string | undefined
  try {
    for (const place of placesBetween(worktree, directory)) {
      for (const name of CONTENT_FILES) await reader.file(place + name)
      for (const name of CONTENT_DIRECTORIES) await reader.directory(place + name)
    }
    await readNamed(reader, { directory, worktree })
  } catch (error) {
    if (!(error instanceof UnjudgedContent)) throw error
    problem = error.message
  }
  const files = [...reader.files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return {
    directory,
    worktree,
    root: given.worktree,
    files,
    hash: contentHash(files),
    ...(problem === undefined ? {} : { problem }),
  }
}

/** Each with a slash behind it, the work tree itself as nothing. */
function placesBetween(worktree: string, directory: string): string[] {
  const below = relative(worktree, directory)
  const names = below === "" ? [] : below.split(sep)
  return ["", ...names.map((_, at) => `${names.slice(0, at + 1).join("/")}/`)]
}

/** Reads the named files, which may name further files. */
async function readNamed(
  reader: ContentReader,
  { directory, worktree }: Pick<ProjectContent, "directory" | "worktree">,
): Promise<void> {
  let names = 0
  // A Map's values include those that are added on the way.
  for (const { kind, path, link, text } of reader.files.values()) {
    const own = dirname(join(worktree, path))
    // Code behind a link imports from where it lies.
    const real = link === undefined ? own : dirname(resolve(worktree, link))
    const bases = kind === "config" || kind === "mcp" ? [directory, worktree] : []
    for (const written of namedFiles(kind, path, text)) {
      if (++names > MAX_NAMES)
        throw new UnjudgedContent("Too many names of other files stand in it to follow them all.")
      for (const base of new Set([own, real, ...bases])) {
        for (const found of await filesInside(worktree, base, written)) await reader.file(found, "code")
      }
    }
    const bare = packageNames(path, text)
    if (bare.length === 0) continue
    const manifest = await nearestManifest(worktree, real)
    if (manifest && bare.some((each) => each.startsWith("#") || each === manifest.name)) {
      await reader.file(manifest.path, "package")
    }
  }
}

/** The package that code in a directory of the work tree is part of. */
async function nearestManifest(worktree: string, directory: string) {
  for (let at = directory; isBelow(at, worktree); at = dirname(at)) {
    const file = join(at, "package.json")
    // The reader refuses anything that is not a file.
    const status = await stat(file).catch(() => undefined)
    if (!status) continue
    const text = status.isFile() && status.size < MAX_MANIFEST_BYTES ? await readFile(file, "utf8") : ""
    return { path: relative(worktree, file).split(sep).join("/"), name: packageName(text) }
  }
  return undefined
}

/** Bytes. */
const MAX_MANIFEST_BYTES = 1024 * 1024

function packageName(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly name?: unknown } | null)?.name
  } catch {
    return undefined
  }
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory + sep)
}

/**
 * Returns the path of a named file in the work tree. If no file has exactly this name, returns all candidates, because the
 * choice depends on the program that reads it. Empty for a missing file and for one outside of the work tree.
 */
async function filesInside(worktree: string, base: string, written: string): Promise<string[]> {
  const found: string[] = []
  for (const candidate of candidates(resolve(base, written))) {
    const below = relative(worktree, candidate)
    if (below === "" || below.split(sep)[0] === ".." || isAbsolute(below)) continue
    const status = await stat(candidate).catch(() => undefined)
    if (!status?.isFile() || below.split(sep).includes("node_modules")) continue
    found.push(below.split(sep).join("/"))
    if (candidate === resolve(base, written)) break
  }
  return found
}

/** Lengths in front keep different lists from having the same text. */
function contentHash(files: readonly ReadFile[]): string {
  const hash = createHash("sha256")
  for (const { path, kind, hash: own, link = "" } of files) {
    for (const field of [path, kind, own, link]) hash.update(`${Buffer.byteLength(field)}:${field}`)
  }
  return hash.digest("hex")
}
