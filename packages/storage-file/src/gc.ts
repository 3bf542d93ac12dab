import { blobReferences, type GCOptions } from "@pawl/core/storage"
import { isBlobID, lockBlobs } from "./blobs.ts"
import { blobPath, isStray, QUARANTINE } from "./layout.ts"
import { requireRecovered } from "./open-directory.ts"
import type { Store } from "./store.ts"
import { sweepLeases } from "./sweep-leases.ts"
import { blobFiles } from "./walk.ts"

const DAY_MS = 86_400_000

/** Time to work before the event loop runs other work. */
const SLICE_MS = 10

/** Removes old lease files of removed sessions, and blobs without references. */
export async function collectGarbage(store: Store, options: GCOptions = {}): Promise<{ blobs: number; bytes: number }> {
  options.signal?.throwIfAborted()
  await sweepLeases(store, options.signal)
  return collectBlobs(store, options)
}

/** Removes blobs without references. References from damaged and quarantined records count, too. */
async function collectBlobs(
  store: Store,
  { minAge = DAY_MS, signal, onProgress }: GCOptions,
): Promise<{ blobs: number; bytes: number }> {
  const freed = { blobs: 0, bytes: 0 }
  const files = [...blobFiles(store)]
  if (files.length === 0) return freed
  await requireRecovered(store)
  const referenced = await references(store, signal)
  for (const [done, { id, path }] of files.entries()) {
    signal?.throwIfAborted()
    onProgress?.(done, files.length)
    // Keeps files that other programs have put here.
    if (referenced.has(id) || !isBlobID(id) || path !== blobPath(id)) continue
    // A blob that is stored again meanwhile has a new age and is kept.
    await lockBlobs(store, id, async () => {
      const status = store.fs.status(path)
      // File times are finer than the clock's milliseconds, so the time of a new file can be later than now.
      if (!status || Date.now() - Math.floor(status.changed) < minAge || !store.fs.remove(path)) return
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
    if (performance.now() - began < SLICE_MS) continue
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
