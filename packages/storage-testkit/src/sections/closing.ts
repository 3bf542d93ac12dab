import { StorageError } from "@pawl/core/storage"
import { expect } from "vitest"
import { sampleSession, sessionID } from "../samples.ts"
import { type SpecContext, section } from "../section.ts"
import { collect, putSession, storeConversation } from "../writes.ts"

const session = sessionID(1)

/**
 * Returns every call of the contract on a closed storage. The functions are async, so that thrown errors and rejections
 * look the same.
 */
function calls({ storage }: SpecContext): (() => Promise<unknown>)[] {
  return [
    async () => storage.commit(session, [putSession(sampleSession(session))]),
    async () => storage.getSession(session),
    async () => collect(storage.listSessions()),
    async () => storage.readContext(session),
    async () => storage.readChanges(session, 0),
    async () => collect(storage.readMessages(session)),
    async () => collect(storage.watch({}, new AbortController().signal)),
    async () => storage.removeSession(session),
    async () => storage.acquire(session, "own_a", 1000),
    async () => storage.blobs.put(new Uint8Array([1])),
    async () => storage.blobs.get("0".repeat(64)),
    async () => collect(storage.search({ text: "message" })),
    async () => storage.stats(),
    async () => collect(storage.verify()),
    async () => storage.rebuild(),
    async () => storage.gc(),
  ]
}

export const closing = section("closing", {
  "does nothing when closed twice": async ({ storage }) => {
    await storeConversation(storage, session, 1)
    await storage.close()
    await storage.close()
  },
  "names itself": async ({ storage }) => {
    expect(storage.location).not.toBe("")
  },
  "refuses every call once closed": async (place) => {
    await storeConversation(place.storage, session, 1)
    await place.storage.close()
    for (const call of calls(place)) await expect(call()).rejects.toThrow(StorageError)
  },
  "says what is closed": async (place) => {
    const { storage } = place
    await storage.close()
    for (const call of calls(place)) await expect(call()).rejects.toThrow(storage.location)
  },
  "finishes the commits that were asked for before": async ({ storage }) => {
    const commits = [1, 2, 3].map((number) => storeConversation(storage, sessionID(number), 1))
    await storage.close()
    expect(await Promise.all(commits)).toHaveLength(3)
  },
})
