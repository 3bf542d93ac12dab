import { UsageError } from "@pawl/config/usage-error"
import type { StorageChoice } from "../config/storage-choice.ts"
import { statusOf } from "@pawl/files/status-of"

/**
 * Throws UsageError if an option names a missing file or directory: opening it would create it, and a typing error
 * would look like an empty storage. A configured storage may be created.
 */
export async function requireExisting({ url, source }: StorageChoice): Promise<void> {
  const path = /^(?:sqlite|file):(\/.*)$/s.exec(url)?.[1]
  if (path === undefined || path.startsWith("//") || !source.startsWith("--")) return
  if (await statusOf(path)) return
  throw new UsageError(
    `${source}: there is nothing at ${path}.`,
    "Look for the right path: a storage is made by working in it.",
  )
}
