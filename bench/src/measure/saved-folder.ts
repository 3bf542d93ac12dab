import { cp, open, readdir, rm } from "node:fs/promises"
import { join } from "node:path"

/** Copies a folder that no process uses to `copy`. The returned function restores it. */
export async function saveFolder(folder: string, copy: string): Promise<() => Promise<void>> {
  await cp(folder, copy, { recursive: true })
  return async () => {
    await rm(folder, { recursive: true })
    await cp(copy, folder, { recursive: true })
    await settle(folder)
  }
}

/** Waits until all files are on the disk, because the next durable write would wait for them. */
async function settle(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    await using file = await open(join(entry.parentPath, entry.name), "r+")
    await file.sync()
  }
}
