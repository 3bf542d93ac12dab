import { createHash } from "node:crypto"
import { lstatSync, type Stats } from "node:fs"
import { constants, lstat, open, readlink } from "node:fs/promises"
import { setImmediate } from "node:timers/promises"
import type { BlobStore } from "@pawl/core/storage"
import type { FileImage } from "@pawl/core/host"

/** A file as it is in its directory: a symbolic link is not followed. */
export interface FileContent {
  readonly bytes: Buffer
  /** Permission bits. */
  readonly mode: number
  readonly isLink: boolean
}

export type FileRead =
  | { readonly type: "file"; readonly file: FileContent; readonly stats: Stats }
  | { readonly type: "missing" }
  /** A directory, a socket and the like. */
  | { readonly type: "other"; readonly stats: Stats }
  | { readonly type: "large"; readonly stats: Stats }
  | { readonly type: "unreadable" }

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Reads a file of at most `maxBytes`. Never rejects. */
export async function readFileState(path: string, maxBytes: number): Promise<FileRead> {
  try {
    const stats = await lstat(path)
    if (stats.isSymbolicLink()) {
      const bytes = await readlink(path, { encoding: "buffer" })
      return { type: "file", file: { bytes, mode: stats.mode & 0o7777, isLink: true }, stats }
    }
    if (!stats.isFile()) return { type: "other", stats }
    if (stats.size > maxBytes) return { type: "large", stats }
    const handle = await open(path, READ)
    try {
      const now = await handle.stat()
      if (!now.isFile()) return { type: "other", stats: now }
      const bytes = await handle.readFile()
      if (bytes.byteLength > maxBytes) return { type: "large", stats: now }
      return { type: "file", file: { bytes, mode: now.mode & 0o7777, isLink: false }, stats: now }
    } finally {
      await handle.close()
    }
  } catch (error) {
    return { type: isMissing(error) ? "missing" : "unreadable" }
  }
}

/** Returns the status of a path without following a link at its end; undefined if there is nothing. */
export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch {
    return undefined
  }
}

/** Time in milliseconds after which `statsOf` lets other work run. */
const STAT_SLICE_MS = 5

/** Returns the status of each path like `statOf`. For very many paths this takes a tenth of the time. */
export async function statsOf(paths: readonly string[]): Promise<(Stats | undefined)[]> {
  const found: (Stats | undefined)[] = []
  let began = performance.now()
  for (const path of paths) {
    found.push(statNow(path))
    if (performance.now() - began < STAT_SLICE_MS) continue
    await setImmediate()
    began = performance.now()
  }
  return found
}

function statNow(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Identifies the state of a file as its status shows it. */
export function statKey({ mtimeMs, ctimeMs, size, ino, mode }: Stats): string {
  return `${mtimeMs}/${ctimeMs}/${size}/${ino}/${mode}`
}

export function hashOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`
}

/** Stores a content and returns its image. */
export async function storedImage(
  { bytes, mode, isLink }: FileContent,
  blobs: Pick<BlobStore, "put">,
): Promise<FileImage> {
  const blob = await blobs.put(bytes)
  return { hash: `sha256:${blob}`, size: bytes.byteLength, blob, ...(isLink ? { isLink: true } : { mode }) }
}

/** Returns the image of a content that is not stored. */
export function plainImage({ bytes, mode, isLink }: FileContent): FileImage {
  return { hash: hashOf(bytes), size: bytes.byteLength, ...(isLink ? { isLink: true } : { mode }) }
}

/** Returns whether two states of a file are the same. A mode counts if both are known. */
export function isSameImage(a: FileImage | null, b: FileImage | null): boolean {
  if (!a || !b) return a === b
  const isSameMode = a.mode === undefined || b.mode === undefined || a.mode === b.mode
  return a.hash === b.hash && a.isLink === b.isLink && isSameMode
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === "ENOENT" || code === "ENOTDIR"
}
