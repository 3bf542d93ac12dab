import type { MaintainedStorage } from "@pawl/core/storage"
import type { RuntimeHost } from "../host.ts"
import { plainLine } from "@pawl/plain-text"
import { type Places, readPlaces } from "../config/settings.ts"
import { requireExisting } from "./require-existing.ts"
import { openStorage } from "./open-storage.ts"

export interface StorageRequest {
  /** The value of `--storage`. */
  readonly url: string | undefined
  /** Set if a missing storage may be created. */
  readonly mayCreate?: boolean
}

/** Does the work with the storage that the user chose, and closes it. */
export async function withStorage<T>(
  host: Pick<RuntimeHost, "environment" | "home" | "directory"> &
    Partial<Pick<RuntimeHost, "secrets" | "log" | "stderr">>,
  { url, mayCreate = false }: StorageRequest,
  work: (storage: MaintainedStorage, places: Places) => Promise<T>,
): Promise<T> {
  const places = await readPlaces(host, url === undefined ? undefined : { name: "--storage", value: url })
  if (!mayCreate) await requireExisting(places.storage)
  const storage = await openStorage(places.storage, {
    onNotice: (message) => host.stderr?.write(`${plainLine(message)}\n`),
  })
  try {
    return await work(storage, places)
  } finally {
    await storage.close()
  }
}
