import { ftruncateSync, type Stats } from "node:fs"
import { access, constants } from "node:fs/promises"
import type { HeldDirectory } from "@pawl/held-directory"
import { displayName } from "../display-name.ts"
import { hasCode } from "../paths.ts"
import { inHeldParent } from "./held-parent.ts"
import { unfinishedName } from "./unfinished-files.ts"

export interface WriteOptions {
  readonly mode?: number | undefined
  /** Called with what is there right before it is replaced; undefined: nothing. */
  readonly assertUnchanged?: ((now: Stats | undefined) => void) | undefined
}

interface Place {
  /** As it is called in errors. */
  readonly path: string
  readonly held: HeldDirectory
  readonly name: string
}

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
const FILLING = constants.O_WRONLY | constants.O_NONBLOCK

/**
 * Puts `bytes` at `path`, a real path without symbolic links. A reader, and whoever looks after a crash, finds the old
 * bytes or the new ones, never a part. The exceptions are a file with further hard links, which all show the new bytes,
 * and one that cannot be replaced: they are emptied and filled in place. Mode and owner of an existing file stay, `mode`
 * is for a new one; parent directories are created. A file that may not be written is refused, although its directory
 * would allow to replace it, and so is a path that has come to lead through a link. `assertUnchanged` is called when
 * all is ready, right before the new bytes take their place: what it throws leaves the file as it is.
 */
export async function writeAtomically(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<void> {
  await inHeldParent(path, (held, name) => writeIn({ path, held, name }, bytes, options), { make: true }).catch(
    (error: unknown) => {
      if (!hasCode(error, "ENOTDIR")) throw error
      const file = displayName(String((error as NodeJS.ErrnoException).path))
      throw new Error(
        `${displayName(path)} cannot be written: ${file} is a file, not a directory. Choose another path.`,
        { cause: error },
      )
    },
  )
}

/** Removes the file at `path`, a real path; `assertUnchanged` as in `writeAtomically`. */
export async function removeFile(path: string, { assertUnchanged }: WriteOptions = {}): Promise<void> {
  await inHeldParent(path, (held, name) => {
    held.assertInPlace()
    assertUnchanged?.(held.stat(name))
    held.unlink(name)
  })
}

async function writeIn(place: Place, bytes: Uint8Array, options: WriteOptions): Promise<void> {
  const { path, held, name } = place
  const existing = held.stat(name)
  if (existing && !existing.isFile()) {
    throw new Error(`${displayName(path)} is not a regular file and cannot be written.`)
  }
  if (existing) await access(held.at(name), constants.W_OK)
  if (existing && existing.nlink > 1) return fillInPlace(place, existing, bytes, options)
  const temporary = unfinishedName()
  try {
    await writeNew(held, temporary, bytes, { existing, mode: options.mode })
    // Another directory may have been put where the model will look for the file.
    held.assertInPlace()
    // At once, so that next to no other process comes between them.
    options.assertUnchanged?.(held.stat(name))
    held.rename(temporary, name)
  } catch (error) {
    removeIfThere(held, temporary)
    if (hasCode(error, "ENOENT")) held.assertInPlace()
    // A single file mounted into a container, or one in a directory of another owner, cannot be replaced, only filled.
    if (!existing || !hasCode(error, "EACCES", "EPERM", "EBUSY")) throw error
    return fillInPlace(place, existing, bytes, options)
  }
  await syncDirectory(held)
}

interface NewFile {
  readonly existing: Stats | undefined
  readonly mode: number | undefined
}

async function writeNew(held: HeldDirectory, name: string, bytes: Uint8Array, { existing, mode }: NewFile) {
  const handle = await held.open(name, NEW, existing ? 0o600 : 0o666)
  try {
    await handle.writeFile(bytes)
    if (existing) {
      const made = await handle.stat()
      if (made.uid !== existing.uid || made.gid !== existing.gid) await handle.chown(existing.uid, existing.gid)
      await handle.chmod(existing.mode & 0o7777)
    } else if (mode !== undefined) await handle.chmod(mode & 0o7777)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function removeIfThere(held: HeldDirectory, name: string): void {
  try {
    held.unlink(name)
  } catch {
    // It was not made, or cannot be reached any more: what failed before is the error to be told.
  }
}

async function fillInPlace({ path, held, name }: Place, existing: Stats, bytes: Uint8Array, options: WriteOptions) {
  const handle = await held.open(name, FILLING)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new Error(`${displayName(path)} is not a regular file any more.`)
    if (found.ino !== existing.ino || found.dev !== existing.dev) {
      throw new Error(
        `${displayName(path)} became another file during this call. Read it again, then repeat the change.`,
      )
    }
    held.assertInPlace()
    options.assertUnchanged?.(held.stat(name))
    ftruncateSync(handle.fd)
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes the new name survive a power cut, where the file system knows how. */
async function syncDirectory(held: HeldDirectory): Promise<void> {
  const handle = await held.open(".", constants.O_RDONLY).catch(() => undefined)
  // Not every file system can; the file's own bytes are safe already.
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
