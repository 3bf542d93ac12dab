import { NotFoundError, type WatchedChange } from "@pawl/core/storage"
import { expect } from "vitest"
import { sampleSession, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { collect, putSession, storeConversation } from "../writes.ts"

const [first, second] = [sessionID(1), sessionID(2)]
const rename = (title: string) => [{ type: "session.patch", changes: { title } } as const]

/** Returns the next `count` changes. */
async function take(changes: AsyncIterable<WatchedChange>, count: number): Promise<WatchedChange[]> {
  const iterator = changes[Symbol.asyncIterator]()
  const received: WatchedChange[] = []
  while (received.length < count) {
    const { done, value } = await iterator.next()
    if (done) throw new Error(`The watch ended after ${received.length} of ${count} changes.`)
    received.push(value)
  }
  return received
}

export const watch = section("watch", {
  "reports a commit with its revision": async ({ storage }) => {
    const abort = new AbortController()
    const changes = storage.watch({}, abort.signal)
    await storeConversation(storage, first, 1)
    expect(await take(changes, 1)).toEqual([{ sessionID: first, revision: 1 }])
    abort.abort()
  },
  "starts at the call, not with the history and not with the first read": async ({ storage }) => {
    await storeConversation(storage, first, 1)
    const abort = new AbortController()
    const changes = storage.watch({}, abort.signal)
    await storage.commit(second, [putSession(sampleSession(second))])
    expect(await take(changes, 1)).toEqual([{ sessionID: second, revision: 1 }])
    abort.abort()
  },
  "wakes a reader that waits": async ({ storage }) => {
    const abort = new AbortController()
    const waiting = take(storage.watch({}, abort.signal), 2)
    await storeConversation(storage, first, 1)
    await storeConversation(storage, second, 1)
    expect(await waiting).toEqual([
      { sessionID: first, revision: 1 },
      { sessionID: second, revision: 1 },
    ])
    abort.abort()
  },
  "reports one session only on request": async ({ storage }) => {
    const abort = new AbortController()
    const changes = storage.watch({ sessionID: second }, abort.signal)
    await storeConversation(storage, first, 1)
    await storeConversation(storage, second, 1)
    expect(await take(changes, 1)).toEqual([{ sessionID: second, revision: 1 }])
    abort.abort()
  },
  "merges what a slow reader has missed": async ({ storage }) => {
    const abort = new AbortController()
    const changes = storage.watch({}, abort.signal)
    await storeConversation(storage, first, 1)
    for (const title of ["a", "b", "c"]) await storage.commit(first, rename(title))
    await storeConversation(storage, second, 1)
    // A storage may itself notice commits one by one, and then merges only some of them.
    const reported: WatchedChange[] = []
    const last = new Map<string, number>()
    for await (const change of changes) {
      reported.push(change)
      last.set(change.sessionID, change.revision)
      if (last.get(first) === 4 && last.get(second) === 1) break
    }
    expect(reported.length).toBeLessThan(5)
    const revisions = reported.filter(({ sessionID }) => sessionID === first).map(({ revision }) => revision)
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b))
    abort.abort()
  },
  "reports a removed session, and those removed with it, by revision 0": async ({ storage }) => {
    await storeConversation(storage, first, 1)
    await storage.commit(second, [putSession(sampleSession(second, { parentID: first }))])
    const abort = new AbortController()
    const changes = storage.watch({}, abort.signal)
    await storage.removeSession(first)
    const removed = await take(changes, 2)
    expect(new Set(removed)).toEqual(new Set([first, second].map((id) => ({ sessionID: id, revision: 0 }))))
    abort.abort()
  },
  "says nothing of failed commits": async ({ storage }) => {
    await storeConversation(storage, first, 1)
    const abort = new AbortController()
    const changes = storage.watch({}, abort.signal)
    await expect(storage.commit(second, rename("Rejected"))).rejects.toThrow(NotFoundError)
    await storage.commit(first, rename("Accepted"))
    expect(await take(changes, 1)).toEqual([{ sessionID: first, revision: 2 }])
    abort.abort()
  },
  "tells every watcher": async ({ storage }) => {
    const abort = new AbortController()
    const watches = [1, 2, 3].map(() => storage.watch({}, abort.signal))
    await storeConversation(storage, first, 1)
    for (const changes of watches) expect(await take(changes, 1)).toEqual([{ sessionID: first, revision: 1 }])
    abort.abort()
  },
  "ends when the signal aborts": async ({ storage }) => {
    const abort = new AbortController()
    const waiting = collect(storage.watch({}, abort.signal))
    abort.abort()
    expect(await waiting).toEqual([])
  },
  "ends at once when the signal has aborted before": async ({ storage }) => {
    const changes = storage.watch({}, AbortSignal.abort())
    await storeConversation(storage, first, 1)
    expect(await collect(changes)).toEqual([])
  },
  "ends when the storage is closed": async ({ storage }) => {
    const waiting = collect(storage.watch({}, new AbortController().signal))
    await storage.close()
    expect(await waiting).toEqual([])
  },
  "lets a watcher stop early": async ({ storage }) => {
    const abort = new AbortController()
    const changes = storage.watch({}, abort.signal)
    await storeConversation(storage, first, 1)
    for await (const change of changes) {
      expect(change.revision).toBe(1)
      break
    }
    expect(await storage.commit(first, rename("later"))).toBe(2)
  },
})
