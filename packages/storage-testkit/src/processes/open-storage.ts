import { pathToFileURL } from "node:url"
import type { MaintainedStorage } from "@pawl/core/storage"

/** Opens a storage with the `openStorage(url)` that the module exports. `module`: a URL or an absolute path. */
export async function openStorage(module: string, url: string): Promise<MaintainedStorage> {
  const location = module.startsWith("/") ? pathToFileURL(module).href : module
  const exports = (await import(location)) as { openStorage?: (url: string) => Promise<MaintainedStorage> }
  if (!exports.openStorage) throw new Error(`${module} exports no openStorage(url). Name the storage's own module.`)
  return exports.openStorage(url)
}
