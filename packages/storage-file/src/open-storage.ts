import { fileURLToPath } from "node:url"
import { type MaintainedStorage, StorageError } from "@pawl/core/storage"
import { fileStorage } from "./file-storage.ts"

/**
 * Accepts `file:/var/lib/pawl`, `file:///var/lib/pawl` and, relative to the working directory, `file:sessions`. Rejects
 * with a StorageError.
 */
export async function openStorage(url: string): Promise<MaintainedStorage> {
  return fileStorage({ path: pathOf(url) })
}

function pathOf(url: string): string {
  const path = /^file:(?!\/\/)(.+)$/s.exec(url)?.[1]
  if (path !== undefined) return path
  try {
    if (/^file:\/\/./.test(url)) return fileURLToPath(url)
  } catch {
    // Falls through: the URL names another host or has no path.
  }
  throw new StorageError(`"${url}" names no directory: write "file:" and its path, such as "file:/var/lib/pawl".`)
}
