import { NotFoundError, type Write } from "@pawl/core/storage"
import { expect } from "vitest"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { putMessage, putPart, putSession, storeConversation } from "../writes.ts"

const session = sessionID(1)

export const revisions = section("revisions", {
  "counts a session's commits from 1": async ({ storage }) => {
    expect(await storage.commit(session, [putSession(sampleSession(session))])).toBe(1)
    expect(await storage.commit(session, [putMessage(sampleUserMessage(session, messageID(1)))])).toBe(2)
    expect(await storage.commit(session, [putPart(sampleText(session, messageID(1), partID(1)))])).toBe(3)
    expect((await storage.readContext(session)).revision).toBe(3)
  },
  "counts each session for itself": async ({ storage }) => {
    await storeConversation(storage, sessionID(1), 1)
    await storeConversation(storage, sessionID(2), 1)
    expect(await storage.commit(sessionID(2), [{ type: "session.patch", changes: { title: "B" } }])).toBe(2)
    expect(await storage.commit(sessionID(1), [{ type: "session.patch", changes: { title: "A" } }])).toBe(2)
  },
  "counts a commit of many writes once": async ({ storage }) => {
    await storeConversation(storage, session, 20)
    expect((await storage.readContext(session)).revision).toBe(1)
  },
  "counts a commit that changes nothing": async ({ storage }) => {
    await storeConversation(storage, session, 1)
    const nothing: Write[] = [
      { type: "message.remove", messageID: messageID(9) },
      { type: "part.remove", messageID: messageID(1), partID: partID(9) },
    ]
    expect(await storage.commit(session, nothing)).toBe(2)
    expect(await storage.commit(session, [])).toBe(3)
    expect(await storage.commit(session, [])).toBe(4)
    expect((await storage.readContext(session)).revision).toBe(4)
    expect(await storage.readChanges(session, 1)).toEqual([])
  },
  "tells the revisions of sessions": async ({ storage }) => {
    // The contract makes this member optional.
    if (!storage.readRevisions) return
    await storeConversation(storage, sessionID(1), 3)
    await storeConversation(storage, sessionID(2), 1)
    await storage.commit(sessionID(2), [])
    expect(await storage.readRevisions([sessionID(1), sessionID(2), sessionID(3)])).toEqual(
      new Map([
        [sessionID(1), 1],
        [sessionID(2), 2],
      ]),
    )
    await storage.removeSession(sessionID(2))
    expect(await storage.readRevisions([sessionID(2)])).toEqual(new Map())
    expect(await storage.readRevisions([])).toEqual(new Map())
  },
  "counts commits that are asked for at once in the order asked": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1)
    const counted = await Promise.all(
      numbers.map((number) => storage.commit(session, [putMessage(sampleUserMessage(session, messageID(number)))])),
    )
    expect(counted).toEqual(numbers.map((number) => number + 1))
  },
  "does not count failed commits": async ({ storage }) => {
    await storeConversation(storage, session, 1)
    await expect(storage.commit(session, [putPart(sampleText(session, messageID(9), partID(1)))])).rejects.toThrow(
      NotFoundError,
    )
    expect(await storage.commit(session, [])).toBe(2)
  },
})
