import { randomUUID } from "node:crypto"
import { mkdir, open, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { syncParent } from "@pawl/storage-kit"

/** Replaces a file atomically. Only its owner can read it. Creates parent directories. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const unfinished = `${path}.${randomUUID()}.tmp`
  try {
    const file = await open(unfinished, "wx", 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
    syncParent(path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
