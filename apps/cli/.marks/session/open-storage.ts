import { join } from "node:path"
import type { Storage } from "@pawl/core"

/** The sessions of this user. Rejects with a StorageError that names the file and the next step. */
export async function openStorage(dataDirectory: string): Promise<Storage> {
  const { sqliteStorage } = await import("@pawl/storage-sqlite")
  return sqliteStorage({ path: join(dataDirectory, "pawl.db") })
}
