import { randomUUID } from "node:crypto"
import type { Stats } from "node:fs"
import { constants, rmdir, symlink } from "node:fs/promises"
import { basename, dirname, sep } from "node:path"
import type { FileImage, UndoneFile } from "@pawl/core/host"
import type { BlobStore } from "@pawl/core/storage"
import { type HeldDirectory, holdDirectory } from "@pawl/held-directory"
import { type FileContent, isSameImage, plainImage, readFileState } from "./file-state.ts"
import { MAX_AFTER_BYTES } from "./limits.ts"
import { contentOf } from "./plan.ts"

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/** Begins the names of files that are being written, so that leftovers of a crash can be told. */
const UNFINISHED = ".pawl-undo-"

/** Writes planned files. The contract is that of `FileHistory.apply`. */
export async function applyUndo(files: readonly UndoneFile[], blobs: BlobStore): Promise<readonly UndoneFile[]> {
  const outcomes = new Map<UndoneFile, UndoneFile>()
  // A file may take the place of a directory, so everything is removed first, the deepest first.
  const removals = files.filter(({ left }) => left === null).toSorted((a, b) => depth(b.path) - depth(a.path))
  const writes = files.filter(({ left }) => left !== null)
  for (const file of [...removals, ...writes]) outcomes.set(file, await applyFile(file, blobs))
  return files.map((file) => outcomes.get(file) ?? file)
}

async function applyFile(file: UndoneFile, blobs: BlobStore): Promise<UndoneFile> {
  if (file.outcome !== "restored" && file.outcome !== "merged") return file
  try {
    const present = await presentImage(file)
    if (present === undefined) return changed(file, "Something else than a file has taken its place.")
    if (isSameImage(present, file.left)) {
      if (file.left === null) await removeEmpty(file)
      return file
    }
    if (!isSameImage(present, file.had)) return changed(file, "It was changed during the undo.")
    if (file.left === null) await removeFile(file)
    else await writeFile(file, file.left, blobs)
    return file
  } catch (error) {
    const reason = error instanceof ChangedError ? error.message : `It cannot be written: ${messageOf(error)}`
    return changed(file, reason)
  }
}

/** Returns the image of what is at the path: null for nothing, undefined for anything else than a file. */
async function presentImage({ path, had, left }: UndoneFile): Promise<FileImage | null | undefined> {
  const read = await readFileState(path, MAX_AFTER_BYTES)
  if (read.type === "missing") return null
  // The files of a directory that took the place of the file are removed before.
  if (read.type === "other" && read.stats.isDirectory() && had === null && left !== null) {
    return (await rmdir(path).then(
      () => true,
      () => false,
    ))
      ? null
      : undefined
  }
  return read.type === "file" ? plainImage(read.file) : undefined
}

async function removeFile(file: UndoneFile): Promise<void> {
  {
    using held = holdDirectory(dirname(file.path))
    const name = basename(file.path)
    await assertPlanned(file, held.stat(name))
    held.assertInPlace()
    held.unlink(name)
    await syncDirectory(held)
  }
  await removeEmpty(file)
}

/** Removes the empty directories that the session made for the file. */
async function removeEmpty({ path, madeDirectory }: UndoneFile): Promise<void> {
  if (madeDirectory === undefined) return
  for (let at = dirname(path); at === madeDirectory || at.startsWith(madeDirectory + sep); at = dirname(at)) {
    if (
      !(await rmdir(at).then(
        () => true,
        () => false,
      ))
    )
      return
  }
}

async function writeFile(file: UndoneFile, image: FileImage, blobs: BlobStore): Promise<void> {
  const content = await contentOf(image, blobs)
  if (!content) throw new ChangedError("Its old content was not kept.")
  using held = holdDirectory(dirname(file.path), { make: true })
  const name = basename(file.path)
  const unfinished = `${UNFINISHED}${randomUUID()}`
  try {
    if (content.isLink) await symlink(content.bytes, held.at(unfinished))
    else await writeNew(held, unfinished, content, held.stat(name))
    await assertPlanned(file, held.stat(name))
    held.assertInPlace()
    held.rename(unfinished, name)
  } catch (error) {
    if (held.stat(unfinished)) held.unlink(unfinished)
    throw error
  }
  await syncDirectory(held)
}

async function writeNew(held: HeldDirectory, name: string, { bytes, mode }: FileContent, existing: Stats | undefined) {
  const handle = await held.open(name, NEW, 0o600)
  try {
    await handle.writeFile(bytes)
    if (existing?.isFile()) {
      const stats = await handle.stat()
      if (stats.uid !== existing.uid || stats.gid !== existing.gid) await handle.chown(existing.uid, existing.gid)
    }
    await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Checks right before a file is replaced or removed that it still is as planned. */
async function assertPlanned(file: UndoneFile, stats: Stats | undefined): Promise<void> {
  const { had } = file
  const isThere = stats !== undefined
  if (isThere !== (had !== null)) throw new ChangedError("It was changed during the undo.")
  if (!isThere) return
  const present = await presentImage(file)
  if (present === undefined || !isSameImage(present, had)) throw new ChangedError("It was changed during the undo.")
}

async function syncDirectory(held: HeldDirectory): Promise<void> {
  const handle = await held.open(".", constants.O_RDONLY).catch(() => undefined)
  // Not every file system can sync a directory. The file itself is synced.
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

function changed(file: UndoneFile, reason: string): UndoneFile {
  return { ...file, left: file.had, wanted: file.left, outcome: "conflict", reason }
}

function depth(path: string): number {
  return path.split(sep).length
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

class ChangedError extends Error {}
