import { NotFoundError, StorageError, type Write } from "@pawl/core/storage"
import { expect } from "vitest"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "../samples.ts"
import { type SpecContext, section } from "../section.ts"
import { expectWholeCommits } from "../whole-commits.ts"
import { collect, putMessage, putPart, putSession, storeConversation } from "../writes.ts"

const session = sessionID(1)

/** Commits to a session of two messages and expects that the failed commit changes nothing. */
async function expectNothingChanges({ storage }: SpecContext, writes: Write[], error: new (...of: never[]) => Error) {
  await storeConversation(storage, session, 2)
  const before = await storage.readContext(session)
  await expect(storage.commit(session, writes)).rejects.toThrow(error)
  expect(await storage.readContext(session)).toEqual(before)
  expect(await storage.readChanges(session, before.revision)).toEqual([])
  expect(await storage.commit(session, [putMessage(sampleUserMessage(session, messageID(9)))])).toBe(
    before.revision + 1,
  )
}

const orphan = putPart(sampleText(session, messageID(7), partID(7)))

export const atomicCommit = section("atomic commit", {
  "stores all writes of a commit together": async ({ storage }) => {
    const messages = await storeConversation(storage, session, 3)
    expect(await storage.readContext(session)).toEqual({ session: sampleSession(session), revision: 1, messages })
  },
  "shows a reader all of a commit or nothing of it": async ({ storage }) => {
    await expectWholeCommits(storage, storage)
  },
  "refuses a part without its message and leaves nothing of the commit": (place) => {
    const writes = [
      putSession(sampleSession(session, { title: "Changed" })),
      putMessage(sampleUserMessage(session, messageID(3))),
      putPart(sampleText(session, messageID(1), partID(1), { text: "Changed" })),
      orphan,
    ]
    return expectNothingChanges(place, writes, NotFoundError)
  },
  "brings back what a failing commit had removed": (place) => {
    const writes: Write[] = [
      { type: "message.remove", messageID: messageID(1) },
      { type: "part.remove", messageID: messageID(2), partID: partID(2) },
      { type: "session.patch", changes: { title: "Changed" } },
      orphan,
    ]
    return expectNothingChanges(place, writes, NotFoundError)
  },
  "refuses a part whose message the same commit removed": (place) => {
    const writes: Write[] = [
      { type: "message.remove", messageID: messageID(1) },
      putPart(sampleText(session, messageID(1), partID(5))),
    ]
    return expectNothingChanges(place, writes, NotFoundError)
  },
  "refuses a record that names another session": (place) => {
    const foreign = putMessage(sampleUserMessage(sessionID(2), messageID(3)))
    return expectNothingChanges(place, [putMessage(sampleUserMessage(session, messageID(3))), foreign], StorageError)
  },
  "refuses a value that is not JSON and leaves nothing of the commit": (place) => {
    const metadata: Record<string, unknown> = {}
    metadata["itself"] = metadata
    const circular = putPart(sampleText(session, messageID(1), partID(8), { metadata }))
    return expectNothingChanges(place, [putMessage(sampleUserMessage(session, messageID(3))), circular], Error)
  },
  "refuses a first write to a session that does not exist": async ({ storage }) => {
    const writes: Write[] = [
      putMessage(sampleUserMessage(session, messageID(1))),
      { type: "session.patch", changes: { title: "Rejected" } },
      { type: "message.remove", messageID: messageID(1) },
    ]
    for (const write of writes) {
      await expect(storage.commit(session, [write, putSession(sampleSession(session))])).rejects.toThrow(NotFoundError)
    }
    expect(await storage.getSession(session)).toBeUndefined()
    expect(await collect(storage.listSessions())).toEqual([])
  },
  "leaves no session behind when its first commit fails": async ({ storage }) => {
    await expect(storage.commit(session, [putSession(sampleSession(session)), orphan])).rejects.toThrow(NotFoundError)
    expect(await storage.getSession(session)).toBeUndefined()
    expect(await collect(storage.listSessions())).toEqual([])
    expect(await storage.commit(session, [putSession(sampleSession(session))])).toBe(1)
  },
  "goes on after a failed commit": async ({ storage }) => {
    const failing = storage.commit(session, [orphan])
    const following = storage.commit(session, [putSession(sampleSession(session))])
    await expect(failing).rejects.toThrow(NotFoundError)
    expect(await following).toBe(1)
  },
})
