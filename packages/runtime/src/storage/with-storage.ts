import type { MaintainedStorage } from "@pawl/core/storage"
import type { RuntimeHost } from "../host.ts"
import { plainLine } from "@pawl/plain-text"
import { type DataLocations, readDataLocations } from "../config/settings.ts"
import { requireExisting } from "./require-existing.ts"
import { openStorage } from "./open-storage.ts"

export interface StorageRequest {
  /** The value of `--storage`. */
  readonly url: string | undefined
  /** Set if a missing storage may be created. */
  readonly mayCreate?: boolean
}

/** Runs the work with the storage that the user selected, and closes the storage. */
export async function withStorage<T>(
  host: Pick<RuntimeHost, "environment" | "home" | "directory"> &
    Partial<Pick<RuntimeHost, "secrets" | "log" | "stderr">>,
  { url, mayCreate = false }: StorageRequest,
  work: (storage: MaintainedStorage, locations: DataLocations) => Promise<T>,
): Promise<T> {
  const locations = await readDataLocations(host, url === undefined ? undefined : { name: "--storage", value: url })
  if (!mayCreate) await requireExisting(locations.storage)
  const storage = await openStorage(locations.storage, {
    onNotice: (message) => host.stderr?.write(`${plainLine(message)}\n`),
  })
  try {
    return await work(storage, locations)
  } finally {
    await storage.close()
  }
}
