import { access, constants, mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { hasCode, isMissing } from "../paths.ts"

/**
 * Puts `bytes` at `path`, a real path without symbolic links. A reader, and whoever looks after a crash, finds the old
 * bytes or the new ones, never a part. The exceptions are a file with further hard links, which all show the new bytes,
 * and one that cannot be replaced: they are emptied and filled in place. Mode and owner of an existing file stay; parent
 * directories are created. A file that may not be written is refused, although its directory would allow to replace it.
 */
export async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  const existing = await stat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (existing && !existing.isFile()) throw new Error(`${path} is not a regular file and cannot be written.`)
  if (existing) await access(path, constants.W_OK)
  else await mkdir(dirname(path), { recursive: true })
  if (existing && existing.nlink > 1) return writeFile(path, bytes, { flush: true })

  const temporary = join(dirname(path), `.pawl-${crypto.randomUUID()}.tmp`)
  try {
    const handle = await open(temporary, "wx", existing ? 0o600 : 0o666)
    try {
      await handle.writeFile(bytes)
      if (existing) {
        const made = await handle.stat()
        if (made.uid !== existing.uid || made.gid !== existing.gid) await handle.chown(existing.uid, existing.gid)
        await handle.chmod(existing.mode & 0o7777)
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    // A single file mounted into a container, or one in a directory of another owner, cannot be replaced, only filled.
    if (!existing || !hasCode(error, "EACCES", "EPERM", "EBUSY")) throw error
    await writeFile(path, bytes, { flush: true })
    return
  }
  await syncDirectory(dirname(path))
}

/** Makes the new name survive a power cut, where the file system knows how. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, "r").catch(() => undefined)
  // Not every file system can; the file's own bytes are safe already.
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
