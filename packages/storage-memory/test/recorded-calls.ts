import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import type { SessionID, MaintainedStorage, Write } from "@pawl/core/storage"
import { memoryStorage } from "../src/memory-storage.ts"

type Call =
  | { readonly type: "commit"; readonly id: SessionID; readonly writes: readonly Write[] }
  | { readonly type: "remove"; readonly id: SessionID }
  | { readonly type: "put"; readonly base64: string }

/** Writes the file that `replayCalls` reads: what `store` asks of a storage. Returns the storage. */
export async function recordCalls(
  path: string,
  store: (storage: MaintainedStorage) => Promise<void>,
): Promise<MaintainedStorage> {
  const storage = memoryStorage()
  const calls: Call[] = []
  await store({
    ...storage,
    commit: (id, writes) => {
      calls.push({ type: "commit", id, writes })
      return storage.commit(id, writes)
    },
    removeSession: (id) => {
      calls.push({ type: "remove", id })
      return storage.removeSession(id)
    },
    blobs: {
      ...storage.blobs,
      put: (bytes) => {
        calls.push({ type: "put", base64: Buffer.from(bytes).toString("base64") })
        return storage.blobs.put(bytes)
      },
    },
  })
  await writeFile(path, JSON.stringify(calls))
  return storage
}

/** Memory does at the call what it is asked for, so that all of it is there when this returns. */
export function replayCalls(storage: MaintainedStorage, path: string): void {
  for (const call of JSON.parse(readFileSync(path, "utf8")) as Call[]) {
    if (call.type === "commit") void storage.commit(call.id, call.writes)
    else if (call.type === "remove") void storage.removeSession(call.id)
    else void storage.blobs.put(Buffer.from(call.base64, "base64"))
  }
}
