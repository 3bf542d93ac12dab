import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { writeWhole } from "@pawl/files/durable-file"
import { type Listing, listing } from "./listing.ts"

/**
 * Caches what servers listed, by the hash of their configuration, so that servers need not be started to list tools.
 */
export interface ListingCache {
  read(hash: string): Promise<Listing | undefined>
  /** Never rejects. If writing fails, the server is queried again later. */
  write(hash: string, value: Listing): Promise<void>
}

export function createListingCache(directory: string): ListingCache {
  const pathOf = (hash: string) => join(directory, `${hash}.json`)
  return {
    async read(hash) {
      try {
        return listing.parse(JSON.parse(await readFile(pathOf(hash), "utf8")))
      } catch {
        return undefined
      }
    },
    write: (hash, value) => writeWhole(pathOf(hash), JSON.stringify(value)).catch(() => undefined),
  }
}
