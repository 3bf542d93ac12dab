import { expect } from "vitest"
import { sampleSession, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { collect, putSession, storeConversation } from "../writes.ts"

const session = sessionID(1)

export const isolation = section("isolation of two stores", {
  "shows nothing of one store in another": async ({ storage, openElsewhere }) => {
    const other = await openElsewhere()
    await storeConversation(storage, session, 2)
    const blob = await storage.blobs.put(Buffer.from("only here"))
    expect(await other.getSession(session)).toBeUndefined()
    expect(await collect(other.listSessions())).toEqual([])
    expect(await other.blobs.get(blob)).toBeUndefined()
  },
  "counts, leases and removes the same id apart": async ({ storage, openElsewhere }) => {
    const other = await openElsewhere()
    for (const store of [storage, other]) await store.commit(session, [putSession(sampleSession(session))])
    expect(await storage.commit(session, [{ type: "session.patch", changes: { title: "Here" } }])).toBe(2)
    expect((await other.readContext(session)).revision).toBe(1)

    const here = await storage.acquire(session, "own_a", 60_000)
    const there = await other.acquire(session, "own_b", 60_000)
    expect([here?.token.owner, there?.token.owner]).toEqual(["own_a", "own_b"])

    await storage.removeSession(session)
    expect((await other.getSession(session))?.title).toBe(sampleSession(session).title)
  },
  "searches, counts and collects in one store only": async ({ storage, openElsewhere }) => {
    const other = await openElsewhere()
    await storeConversation(storage, session, 2)
    for (const store of [storage, other]) await store.blobs.put(Buffer.from("loose"))
    expect(await collect(other.search({ text: "message" }))).toEqual([])
    expect((await other.stats()).records.message.count).toBe(0)
    await other.rebuild()
    expect(await other.gc({ minAge: 0 })).toEqual({ blobs: 1, bytes: 5 })
    expect((await storage.stats()).records.blob.count).toBe(1)
    expect(await collect(storage.search({ text: "message" }))).toHaveLength(2)
  },
  "goes on when another store is closed": async ({ storage, openElsewhere }) => {
    const other = await openElsewhere()
    await other.close()
    await storeConversation(storage, session, 1)
    expect((await storage.readContext(session)).revision).toBe(1)
  },
})
