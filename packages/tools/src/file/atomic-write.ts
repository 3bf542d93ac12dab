import { ftruncateSync, type Stats } from "node:fs"
import { access, constants } from "node:fs/promises"
import type { HeldDirectory } from "@pawl/held-directory"
import { displayName } from "../display-name.ts"
import { hasCode } from "../paths.ts"
import { inHeldParent } from "./held-parent.ts"
import { unfinishedName } from "./unfinished-files.ts"

export interface WriteOptions {
  readonly mode?: number | undefined
  /** Called with the file's stats right before it is replaced; undefined if there is no file. */
  readonly assertUnchanged?: ((now: Stats | undefined) => void) | undefined
}

interface HeldFile {
  /** The path that errors show. */
  readonly path: string
  readonly held: HeldDirectory
  readonly name: string
}

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
const FILLING = constants.O_WRONLY | constants.O_NONBLOCK

/**
 * Writes `bytes` to `path`, a real path. Readers find the old bytes or the new ones, also after a crash. Exceptions
 * that are filled in place: a file with several hard links, and one that cannot be replaced. An existing file keeps its
 * mode and owner; `mode` is for a new file. Creates parent directories. Refuses a file without write permission, and a
 * path that leads through a link by now. If `assertUnchanged` throws, the file stays unchanged.
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

/** Removes the file at `path`, a real path. `assertUnchanged` works as in `writeAtomically`. */
export async function removeFile(path: string, { assertUnchanged }: WriteOptions = {}): Promise<void> {
  await inHeldParent(path, (held, name) => {
    held.assertInPlace()
    assertUnchanged?.(held.stat(name))
    held.unlink(name)
  })
}

async function writeIn(file: HeldFile, bytes: Uint8Array, options: WriteOptions): Promise<void> {
  const { path, held, name } = file
  const existing = held.stat(name)
  if (existing && !existing.isFile()) {
    throw new Error(`${displayName(path)} is not a regular file and cannot be written.`)
  }
  if (existing) await access(held.at(name), constants.W_OK)
  if (existing && existing.nlink > 1) return fillInPlace(file, existing, bytes, options)
  const temporary = unfinishedName()
  try {
    await writeNew(held, temporary, bytes, { existing, mode: options.mode })
    // Another directory may have been moved to the path, where the model will look for the file.
    held.assertInPlace()
    // Synchronous up to the rename, so that other processes have almost no time to interfere.
    options.assertUnchanged?.(held.stat(name))
    held.rename(temporary, name)
  } catch (error) {
    removeIfThere(held, temporary)
    if (hasCode(error, "ENOENT")) held.assertInPlace()
    // A file that is mounted into a container or lies in another owner's directory cannot be replaced.
    if (!existing || !hasCode(error, "EACCES", "EPERM", "EBUSY")) throw error
    return fillInPlace(file, existing, bytes, options)
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
      const stats = await handle.stat()
      if (stats.uid !== existing.uid || stats.gid !== existing.gid) await handle.chown(existing.uid, existing.gid)
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
    // The file was not created or cannot be reached. Report the first error instead.
  }
}

async function fillInPlace({ path, held, name }: HeldFile, existing: Stats, bytes: Uint8Array, options: WriteOptions) {
  const handle = await held.open(name, FILLING)
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new Error(`${displayName(path)} is not a regular file any more.`)
    if (stats.ino !== existing.ino || stats.dev !== existing.dev) {
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

/** Makes the new name survive a power cut, if the file system supports it. */
async function syncDirectory(held: HeldDirectory): Promise<void> {
  const handle = await held.open(".", constants.O_RDONLY).catch(() => undefined)
  // Not every file system supports it; the file's own bytes are synced already.
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
