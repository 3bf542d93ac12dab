import type { Write } from "@pawl/core/storage"
import { expect } from "vitest"
import { messageID, sampleSession, sampleUserMessage, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { collect, putMessage, putSession } from "../writes.ts"

const session = sessionID(1)
const stored = sampleSession(session, { agent: "build", metadata: { a: 1, b: 2 } })
const archived = sampleSession(session, { time: { created: 1, updated: 2, archived: 3 } })

export const sessionPatch = section("session.patch", {
  "sets the named fields and leaves the others": async ({ storage }) => {
    await storage.commit(session, [putSession(stored)])
    const changes = { title: "Second", boundary: messageID(1) }
    await storage.commit(session, [{ type: "session.patch", changes }])
    expect(await storage.getSession(session)).toEqual({ ...stored, ...changes })
  },
  "removes a field that is set to undefined": async ({ storage }) => {
    await storage.commit(session, [putSession(stored)])
    await storage.commit(session, [{ type: "session.patch", changes: { agent: undefined } }])
    const { agent: _, ...rest } = stored
    expect(await storage.getSession(session)).toStrictEqual(rest)
  },
  "replaces a field whole, without merging into it": async ({ storage }) => {
    await storage.commit(session, [putSession(stored)])
    await storage.commit(session, [{ type: "session.patch", changes: { metadata: { c: 3 } } }])
    expect((await storage.getSession(session))?.metadata).toStrictEqual({ c: 3 })
  },
  "changes the named fields of time and leaves its others": async ({ storage }) => {
    await storage.commit(session, [putSession(archived)])
    await storage.commit(session, [{ type: "session.patch", changes: { time: { updated: 9 } } }])
    expect((await storage.getSession(session))?.time).toStrictEqual({ ...archived.time, updated: 9 })
    expect(await collect(storage.listSessions({ archived: true }))).toHaveLength(1)
  },
  "removes a field of time that is set to undefined": async ({ storage }) => {
    await storage.commit(session, [putSession(archived)])
    await storage.commit(session, [{ type: "session.patch", changes: { time: { archived: undefined } } }])
    const { archived: _, ...rest } = archived.time
    expect((await storage.getSession(session))?.time).toStrictEqual(rest)
    expect(await collect(storage.listSessions({ archived: false }))).toHaveLength(1)
  },
  "joins what several changes of one commit do to time": async ({ storage }) => {
    const times = [{ updated: 8, archived: undefined }, { compacting: 7 }, { updated: 9, compacting: undefined }, {}]
    const writes = times.map((time): Write => ({ type: "session.patch", changes: { time } }))
    const expected = { created: 1, updated: 9 }
    await storage.commit(session, [putSession(archived), ...writes])
    expect((await storage.getSession(session))?.time).toStrictEqual(expected)
    await storage.commit(session, [putSession(archived)])
    await storage.commit(session, writes)
    expect((await storage.getSession(session))?.time).toStrictEqual(expected)
  },
  "does nothing to removed fields that are not there": async ({ storage }) => {
    await storage.commit(session, [putSession(stored)])
    await storage.commit(session, [{ type: "session.patch", changes: { share: undefined } }])
    expect(await storage.getSession(session)).toStrictEqual(stored)
  },
  "builds on the writes before it in the same commit": async ({ storage }) => {
    await storage.commit(session, [
      putSession(stored),
      { type: "session.patch", changes: { title: "Second" } },
      { type: "session.patch", changes: { agent: "plan" } },
    ])
    expect(await storage.getSession(session)).toEqual({ ...stored, title: "Second", agent: "plan" })
  },
  "changes what lists find": async ({ storage }) => {
    await storage.commit(session, [putSession(stored)])
    const changes = { title: "Second", directory: "/moved", time: { created: 1, updated: 2, archived: 3 } }
    await storage.commit(session, [{ type: "session.patch", changes }])
    expect(await collect(storage.listSessions({ title: "New" }))).toEqual([])
    expect(await collect(storage.listSessions({ directory: "/moved", archived: true, title: "Second" }))).toHaveLength(
      1,
    )
  },
  "is reported as the whole session": async ({ storage }) => {
    await storage.commit(session, [putSession(stored)])
    await storage.commit(session, [
      { type: "session.patch", changes: { title: "Second" } },
      putMessage(sampleUserMessage(session, messageID(1))),
    ])
    const [change] = await storage.readChanges(session, 1)
    expect(change).toEqual({ type: "session.put", revision: 2, session: { ...stored, title: "Second" } })
  },
  "keeps the changes as they were given when the caller changes them afterwards": async ({ storage }) => {
    await storage.commit(session, [putSession(stored)])
    const metadata = { list: [1] }
    const commit = storage.commit(session, [{ type: "session.patch", changes: { metadata } }])
    metadata.list.push(2)
    await commit
    expect((await storage.getSession(session))?.metadata).toEqual({ list: [1] })
  },
})
