import { blobReferences, type GCOptions } from "@pawl/core"
import { lockBlobs } from "./blobs.ts"
import { isStray, QUARANTINE } from "./layout.ts"
import { recoverAll } from "./open-directory.ts"
import type { Store } from "./store.ts"
import { blobFiles } from "./walk.ts"

const DAY = 86_400_000

/** Milliseconds of work after which others get their turn. */
const SLICE = 10

/** Removes the blobs that no file of a record names, damaged ones and those set aside included. */
export async function collectBlobs(
  store: Store,
  { minAge = DAY, signal, onProgress }: GCOptions = {},
): Promise<{ blobs: number; bytes: number }> {
  signal?.throwIfAborted()
  const freed = { blobs: 0, bytes: 0 }
  const files = [...blobFiles(store)]
  if (files.length === 0) return freed
  await recoverAll(store)
  const referenced = await references(store, signal)
  for (const [done, { id, path }] of files.entries()) {
    signal?.throwIfAborted()
    onProgress?.(done, files.length)
    if (referenced.has(id)) continue
    // A blob that is put again meanwhile is young again, and is kept.
    await lockBlobs(store, id, async () => {
      const status = store.fs.status(path)
      if (!status || Date.now() - status.changed < minAge || !store.fs.remove(path)) return
      freed.blobs++
      freed.bytes += status.size
    })
  }
  return freed
}

async function references(store: Store, signal: AbortSignal | undefined): Promise<Set<string>> {
  const ids = new Set<string>()
  let began = performance.now()
  for (const path of recordFiles(store)) {
    signal?.throwIfAborted()
    for (const id of blobReferences(store.fs.readFile(path)?.toString() ?? "")) ids.add(id)
    if (performance.now() - began < SLICE) continue
    await new Promise((resolve) => setImmediate(resolve))
    began = performance.now()
  }
  return ids
}

function* recordFiles(store: Store): Iterable<string> {
  for (const root of ["session", "message", "part"].flatMap((kind) => [kind, `${QUARANTINE}/${kind}`])) {
    for (const name of store.fs.readDirectory(root) ?? []) {
      for (const file of store.fs.readDirectory(`${root}/${name}`) ?? []) {
        if (!isStray(file)) yield `${root}/${name}/${file}`
      }
    }
  }
}
