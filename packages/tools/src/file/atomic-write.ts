import { ftruncateSync, renameSync } from "node:fs"
import { access, constants, lstat, mkdir, open, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { displayName } from "../display-name.ts"
import { hasCode, isMissing } from "../paths.ts"
import { assertUnmoved } from "./unmoved.ts"

export interface WriteOptions {
  readonly mode?: number | undefined
  readonly assertUnchanged?: () => void
}

/**
 * Puts `bytes` at `path`, a real path without symbolic links. A reader, and whoever looks after a crash, finds the old
 * bytes or the new ones, never a part. The exceptions are a file with further hard links, which all show the new bytes,
 * and one that cannot be replaced: they are emptied and filled in place. Mode and owner of an existing file stay, `mode`
 * is for a new one; parent directories are created. A file that may not be written is refused, although its directory
 * would allow to replace it, and so is a path that has come to lead through a link. `assertUnchanged` is called when
 * all is ready, right before the new bytes take their place: what it throws leaves the file as it is.
 */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array,
  { mode, assertUnchanged = () => {} }: WriteOptions = {},
): Promise<void> {
  const existing = await lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (existing && !existing.isFile()) {
    throw new Error(`${displayName(path)} is not a regular file and cannot be written.`)
  }
  if (existing) await access(path, constants.W_OK)
  else await makeParents(path)
  await assertUnmoved(path)
  if (existing && existing.nlink > 1) return fillInPlace(path, bytes, assertUnchanged)

  const temporary = join(dirname(path), `.pawl-${crypto.randomUUID()}.tmp`)
  try {
    const handle = await open(temporary, "wx", existing ? 0o600 : 0o666)
    try {
      // Before anything of the content can be seen elsewhere.
      await assertUnmoved(path)
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
    await assertUnmoved(path)
    // At once, so that next to no other process comes between them.
    assertUnchanged()
    renameSync(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    // A single file mounted into a container, or one in a directory of another owner, cannot be replaced, only filled.
    if (!existing || !hasCode(error, "EACCES", "EPERM", "EBUSY")) throw error
    return fillInPlace(path, bytes, assertUnchanged)
  }
  await syncDirectory(dirname(path))
}

/** One after the other, so that none is made on the other side of a link. */
async function makeParents(path: string): Promise<void> {
  const missing: string[] = []
  for (let at = dirname(path); ; at = dirname(at)) {
    const found = await lstat(at).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    if (found?.isFile()) {
      throw new Error(
        `${displayName(path)} cannot be written: ${displayName(at)} is a file, not a directory. Choose another path.`,
      )
    }
    if (found) break
    missing.unshift(at)
  }
  for (const directory of missing) {
    await assertUnmoved(directory)
    await mkdir(directory).catch((error: unknown) => {
      // Somebody else may have made it just now.
      if (!hasCode(error, "EEXIST")) throw error
    })
  }
}

async function fillInPlace(path: string, bytes: Uint8Array, assertUnchanged: () => void): Promise<void> {
  const handle = await open(path, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    await assertUnmoved(path)
    if (!(await handle.stat()).isFile()) throw new Error(`${displayName(path)} is not a regular file any more.`)
    assertUnchanged()
    ftruncateSync(handle.fd)
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes the new name survive a power cut, where the file system knows how. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, "r").catch(() => undefined)
  // Not every file system can; the file's own bytes are safe already.
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
