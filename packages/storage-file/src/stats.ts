import type { StorageStats } from "@pawl/core/storage"
import type { Store } from "./store.ts"
import { surveyRecords } from "./survey.ts"
import { blobFiles } from "./walk.ts"

/** Reads all records, since the indentation in their files does not count. */
export async function readStats(store: Store): Promise<StorageStats> {
  const records = {
    session: { count: 0, bytes: 0 },
    message: { count: 0, bytes: 0 },
    part: { count: 0, bytes: 0 },
    blob: { count: 0, bytes: 0 },
  }
  for await (const { kind, value } of surveyRecords(store)) {
    if (value === undefined) continue
    records[kind].count++
    records[kind].bytes += Buffer.byteLength(JSON.stringify(value))
  }
  for (const { path } of blobFiles(store)) {
    const status = store.fs.status(path)
    if (!status) continue
    records.blob.count++
    records.blob.bytes += status.size
  }
  return { records, totalBytes: sizeOf(store, "") }
}

/** Adds up the sizes of all files below the directory. Skips links to a directory above. */
function sizeOf(store: Store, directory: string, above: ReadonlySet<number> = new Set()): number {
  const inode = store.fs.status(directory)?.inode
  if (inode === undefined || above.has(inode)) return 0
  const within = new Set([...above, inode])
  let total = 0
  for (const name of store.fs.readDirectory(directory) ?? []) {
    const path = directory === "" ? name : `${directory}/${name}`
    const status = store.fs.status(path)
    total += status?.isDirectory ? sizeOf(store, path, within) : (status?.size ?? 0)
  }
  return total
}
