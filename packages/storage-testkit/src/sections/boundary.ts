import { NotFoundError, StorageError, type Write } from "@pawl/core/storage"
import { expect } from "vitest"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { collect, putMessage, putPart, putSession, storeConversation } from "../writes.ts"

const session = sessionID(1)

export const boundary = section("boundary", {
  "reads the whole session without one": async ({ storage }) => {
    const messages = await storeConversation(storage, session, 4)
    expect((await storage.readContext(session)).messages).toEqual(messages)
  },
  "reads the context from the boundary on, the message there included": async ({ storage }) => {
    const messages = await storeConversation(storage, session, 4)
    await storage.commit(session, [{ type: "session.patch", changes: { boundary: messageID(3) } }])
    const context = await storage.readContext(session)
    expect(context.messages).toEqual(messages.slice(2))
    expect(context.session.boundary).toBe(messageID(3))
  },
  "keeps what lies before the boundary for other readers": async ({ storage }) => {
    const messages = await storeConversation(storage, session, 4)
    await storage.commit(session, [{ type: "session.patch", changes: { boundary: messageID(3) } }])
    expect(await collect(storage.readMessages(session))).toEqual(messages.toReversed())
  },
  "moves with the session, in either direction": async ({ storage }) => {
    const messages = await storeConversation(storage, session, 4)
    for (const [value, start] of [
      [messageID(4), 3],
      [messageID(2), 1],
      [undefined, 0],
    ] as const) {
      await storage.commit(session, [{ type: "session.patch", changes: { boundary: value } }])
      expect((await storage.readContext(session)).messages).toEqual(messages.slice(start))
    }
  },
  "starts behind a boundary whose message was removed": async ({ storage }) => {
    const messages = await storeConversation(storage, session, 4)
    await storage.commit(session, [
      { type: "session.patch", changes: { boundary: messageID(3) } },
      { type: "message.remove", messageID: messageID(3) },
    ])
    expect((await storage.readContext(session)).messages).toEqual(messages.slice(3))
  },
  "starts by the order of ids at a boundary that no message has": async ({ storage }) => {
    const messages = await storeConversation(storage, session, 4)
    for (const [value, start] of [
      ["", 0],
      ["7", 0],
      [`${messageID(2)}x`, 2],
      ["zzz", 4],
    ] as const) {
      const changes: object = { boundary: value }
      await storage.commit(session, [{ type: "session.patch", changes }])
      const context = await storage.readContext(session)
      expect(context.session.boundary).toBe(value)
      expect(context.messages).toEqual(messages.slice(start))
      expect(context.damaged).toBeUndefined()
    }
  },
  "refuses a boundary or a parent that is not a string": async ({ storage }) => {
    await storeConversation(storage, session, 2)
    for (const value of [7, null, true, {}, [messageID(2)]]) {
      for (const changes of [{ boundary: value }, { parentID: value }] as object[]) {
        const writes: Write[] = [
          { type: "session.patch", changes },
          putSession({ ...sampleSession(session), ...changes }),
        ]
        for (const write of writes) await expect(storage.commit(session, [write])).rejects.toThrow(StorageError)
      }
    }
    const { session: stored, revision, messages } = await storage.readContext(session)
    expect([stored, revision, messages.length]).toEqual([sampleSession(session), 1, 2])
  },
  "gives the revision from which readChanges goes on": async ({ storage }) => {
    await storeConversation(storage, session, 2)
    const { revision } = await storage.readContext(session)
    const part = sampleText(session, messageID(2), partID(9))
    await storage.commit(session, [putPart(part)])
    expect(await storage.readChanges(session, revision)).toEqual([{ type: "part.put", revision: revision + 1, part }])
  },
  "reads a session without messages": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    expect(await storage.readContext(session)).toEqual({ session: sampleSession(session), revision: 1, messages: [] })
  },
  "leaves out removed messages and parts": async ({ storage }) => {
    const [first] = await storeConversation(storage, session, 2)
    await storage.commit(session, [
      putMessage(sampleUserMessage(session, messageID(3))),
      { type: "message.remove", messageID: messageID(2) },
      { type: "part.remove", messageID: messageID(1), partID: partID(1) },
    ])
    const { messages } = await storage.readContext(session)
    expect(messages).toEqual([
      { info: first?.info, parts: [] },
      { info: sampleUserMessage(session, messageID(3)), parts: [] },
    ])
    expect(await collect(storage.readMessages(session))).toEqual([...messages].toReversed())
  },
  "refuses a session that was never stored": async ({ storage }) => {
    await expect(storage.readContext(session)).rejects.toThrow(NotFoundError)
  },
})
