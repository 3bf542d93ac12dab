import { createHash } from "node:crypto"
import { constants, lstat, open, readdir, realpath, stat } from "node:fs/promises"
import { join, relative, sep } from "node:path"
import { type ContentKind, contentKind } from "./content-kind.ts"

/** A file as it was read. */
export interface ReadFile {
  /** Relative to the work tree, with slashes. */
  readonly path: string
  readonly kind: ContentKind
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly hash: string
  /** Real path behind a link: relative to the work tree, or absolute outside of it. */
  readonly link?: string
  readonly text: string
}

/** Why the content cannot be judged, as a sentence. */
export class UnjudgedContent extends Error {}

export interface ReaderLimits {
  /** Files that are read. */
  readonly files: number
  /** Names in the directories that are looked at, of whatever is not read as well. */
  readonly entries: number
  /** Ways to directories: links make many of few. */
  readonly directories: number
  /** Bytes of all files together. */
  readonly bytes: number
}

/** Reads each file once, by its path in the work tree. Throws UnjudgedContent for what is too much or cannot be read. */
export interface ContentReader {
  file(path: string, kind?: ContentKind): Promise<void>
  /**
   * All files below it that are run or read as configuration: by their kind, or because they are executable. Installed
   * packages and what belongs to git are left out.
   */
  directory(path: string): Promise<void>
  readonly files: ReadonlyMap<string, ReadFile>
}

const DEEPEST = 30
const SKIPPED = new Set(["node_modules", ".git"])

/** `worktree`: absolute and without links. */
export function createContentReader(worktree: string, limits: ReaderLimits): ContentReader {
  const files = new Map<string, ReadFile>()
  let size = 0
  let entries = 0
  let directories = 0

  async function readOne(path: string, kind: ContentKind): Promise<void> {
    if (files.has(path)) return
    if (files.size >= limits.files) throw new UnjudgedContent(`There are more than ${limits.files} files to judge.`)
    const absolute = join(worktree, path)
    const real = await realpath(absolute).catch(() => undefined)
    const link = real === absolute ? undefined : (real ?? "nothing")
    const bytes = real === undefined ? Buffer.alloc(0) : await readBytes(real, path, limits.bytes - size)
    size += bytes.length
    files.set(path, {
      ...{ path, kind, hash: createHash("sha256").update(bytes).digest("hex"), text: bytes.toString("utf8") },
      ...(link === undefined ? {} : { link: shownTarget(link, worktree) }),
    })
  }

  async function readAll(path: string, above: readonly string[]): Promise<void> {
    if (above.length > DEEPEST) throw new UnjudgedContent(`${path} is nested too deeply to be judged.`)
    const absolute = join(worktree, path)
    const status = await stat(absolute).catch(() => undefined)
    if (!status?.isDirectory()) {
      const kind = countingKind(path, status?.mode)
      if (kind !== undefined && (status || (await isThere(absolute)))) await readOne(path, kind)
      return
    }
    const real = await realpath(absolute)
    // A link to a parent directory adds no content.
    if (above.includes(real)) return
    if (++directories > limits.directories)
      throw new UnjudgedContent(`There are more than ${limits.directories} directories to judge.`)
    const names = await readdir(absolute).catch(() => undefined)
    if (!names) throw new UnjudgedContent(`${path} cannot be read.`)
    entries += names.length
    if (entries > limits.entries)
      throw new UnjudgedContent(`${path}: there are more than ${limits.entries} files and directories to look at.`)
    for (const name of names.toSorted()) {
      if (!SKIPPED.has(name)) await readAll(`${path}/${name}`, [...above, real])
    }
  }

  return {
    files,
    async file(path, kind = contentKind(path)) {
      if (await isThere(join(worktree, path))) await readOne(path, kind)
    },
    directory: (path) => readAll(path, []),
  }
}

/** Undefined for a file that plugins or people keep there. `mode`: absent where a link leads nowhere. */
function countingKind(path: string, mode = 0): ContentKind | undefined {
  const kind = contentKind(path)
  if (kind !== "other") return kind
  return (mode & 0o111) === 0 ? undefined : "code"
}

async function readBytes(real: string, path: string, most: number): Promise<Buffer> {
  // Without O_NONBLOCK, opening a named pipe waits for a writer.
  const handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined)
  if (!handle) throw new UnjudgedContent(`${path} cannot be read.`)
  try {
    const status = await handle.stat()
    if (!status.isFile()) throw new UnjudgedContent(`${path} is not a regular file.`)
    if (status.size > most) throw new UnjudgedContent(`With ${path} there is too much to judge.`)
    const bytes = await handle.readFile()
    if (bytes.length > most) throw new UnjudgedContent(`With ${path} there is too much to judge.`)
    return bytes
  } finally {
    await handle.close()
  }
}

/** Also a link that leads nowhere. What cannot be seen counts as there: reading it says why. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => !["ENOENT", "ENOTDIR"].includes(String(error.code)),
  )
}

function shownTarget(target: string, worktree: string): string {
  const inside = relative(worktree, target).split(sep).join("/")
  return target === "nothing" || inside.split("/")[0] === ".." ? target : inside
}
