import { randomUUID } from "node:crypto"
import { constants, type FileHandle } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { type HeldDirectory, holdDirectory } from "@pawl/held-directory"

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

/**
 * Makes a file at a real path, with the directories above it. Rejects with EEXIST where something is there, and with
 * MovedDirectoryError where a directory on the way is a link.
 */
export async function makeFile(path: string, text: string): Promise<void> {
  using held = holdDirectory(dirname(path), { make: true })
  await write(held, basename(path), text, 0o666)
}

/**
 * Puts a file at a real path, in the place of what is there; it is whole or not there, also after a power cut. The umask
 * applies to the mode of a new file only. Rejects as `makeFile` does.
 */
export async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  using held = holdDirectory(dirname(path))
  const unfinished = `${basename(path)}.${randomUUID()}.tmp`
  try {
    await write(held, unfinished, text, mode, async (file) => {
      if (held.stat(basename(path))) await file.chmod(mode)
      await file.sync()
    })
    held.rename(unfinished, basename(path))
  } catch (error) {
    if (held.stat(unfinished)) held.unlink(unfinished)
    throw error
  }
}

async function write(
  held: HeldDirectory,
  name: string,
  text: string,
  mode: number,
  finish?: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await held.open(name, NEW_FILE, mode)
  try {
    await file.writeFile(text)
    await finish?.(file)
  } finally {
    await file.close()
  }
}
