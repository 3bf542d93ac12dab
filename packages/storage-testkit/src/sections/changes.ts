import { NotFoundError } from "@pawl/core/storage"
import { expect } from "vitest"
import { foldChanges } from "../fold-changes.ts"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { putMessage, putPart, putSession, storeConversation } from "../writes.ts"

const session = sessionID(1)
const text = (number: number, content: string) => sampleText(session, messageID(1), partID(number), { text: content })
const user = (number: number) => sampleUserMessage(session, messageID(number))

export const changes = section("changes after a revision", {
  "reads everything after revision 0": async ({ storage }) => {
    const [message] = await storeConversation(storage, session, 1)
    expect(await storage.readChanges(session, 0)).toEqual([
      { type: "session.put", revision: 1, session: sampleSession(session) },
      { type: "message.put", revision: 1, message: message?.info },
      { type: "part.put", revision: 1, part: message?.parts[0] },
    ])
  },
  "reads only what came after": async ({ storage }) => {
    await storeConversation(storage, session, 2)
    await storage.commit(session, [putPart(text(5, "later"))])
    expect(await storage.readChanges(session, 1)).toEqual([{ type: "part.put", revision: 2, part: text(5, "later") }])
  },
  "reads nothing after the last revision or beyond it": async ({ storage }) => {
    await storeConversation(storage, session, 1)
    expect(await storage.readChanges(session, 1)).toEqual([])
    expect(await storage.readChanges(session, 100)).toEqual([])
  },
  "has each record once, with its last state and revision": async ({ storage }) => {
    await storeConversation(storage, session, 1)
    for (const content of ["H", "He", "Hel", "Hell"]) await storage.commit(session, [putPart(text(2, content))])
    await storage.commit(session, [putPart(text(2, "Hello"))])
    expect(await storage.readChanges(session, 1)).toEqual([{ type: "part.put", revision: 6, part: text(2, "Hello") }])
    expect(await storage.readChanges(session, 5)).toHaveLength(1)
  },
  "is in order of revision, and as written within one": async ({ storage }) => {
    await storeConversation(storage, session, 2)
    await storage.commit(session, [
      putPart(text(9, "a")),
      putMessage(user(3)),
      putPart(text(3, "b")),
      putMessage(user(1)),
    ])
    await storage.commit(session, [{ type: "session.patch", changes: { title: "Second" } }])
    await storage.commit(session, [putPart(text(9, "c"))])
    const found = await storage.readChanges(session, 1)
    expect(found.map((change) => [change.revision, change.type])).toEqual([
      [2, "message.put"],
      [2, "part.put"],
      [2, "message.put"],
      [3, "session.put"],
      [4, "part.put"],
    ])
    expect(found[0]).toEqual({ type: "message.put", revision: 2, message: user(3) })
    expect(found[2]).toEqual({ type: "message.put", revision: 2, message: user(1) })
  },
  "puts a record written twice in a commit where it was written last": async ({ storage }) => {
    await storeConversation(storage, session, 1)
    await storage.commit(session, [putPart(text(2, "first")), putMessage(user(2)), putPart(text(2, "second"))])
    expect(await storage.readChanges(session, 1)).toEqual([
      { type: "message.put", revision: 2, message: user(2) },
      { type: "part.put", revision: 2, part: text(2, "second") },
    ])
  },
  "reports a removed part": async ({ storage }) => {
    await storeConversation(storage, session, 1)
    await storage.commit(session, [{ type: "part.remove", messageID: messageID(1), partID: partID(1) }])
    const removal = { type: "part.remove", revision: 2, messageID: messageID(1), partID: partID(1) }
    expect(await storage.readChanges(session, 1)).toEqual([removal])
    expect((await storage.readChanges(session, 0)).at(-1)).toEqual(removal)
  },
  "reports a removed message and each part removed with it": async ({ storage }) => {
    await storeConversation(storage, session, 1)
    await storage.commit(session, [putPart(text(2, "second"))])
    await storage.commit(session, [{ type: "message.remove", messageID: messageID(1) }])
    expect(await storage.readChanges(session, 2)).toEqual([
      { type: "part.remove", revision: 3, messageID: messageID(1), partID: partID(1) },
      { type: "part.remove", revision: 3, messageID: messageID(1), partID: partID(2) },
      { type: "message.remove", revision: 3, messageID: messageID(1) },
    ])
  },
  "reports a removal once, however late it is read": async ({ storage }) => {
    await storeConversation(storage, session, 2)
    await storage.commit(session, [{ type: "part.remove", messageID: messageID(1), partID: partID(1) }])
    await storage.commit(session, [{ type: "message.remove", messageID: messageID(1) }])
    const removed = (await storage.readChanges(session, 1)).map(({ type, revision }) => [type, revision])
    expect(removed).toEqual([
      ["part.remove", 2],
      ["message.remove", 3],
    ])
  },
  "has a record that was removed and put again as put": async ({ storage }) => {
    await storeConversation(storage, session, 1)
    await storage.commit(session, [{ type: "part.remove", messageID: messageID(1), partID: partID(1) }])
    await storage.commit(session, [putPart(text(1, "again"))])
    expect(await storage.readChanges(session, 1)).toEqual([{ type: "part.put", revision: 3, part: text(1, "again") }])
  },
  "still reports the parts of a message that was removed and put again": async ({ storage }) => {
    await storeConversation(storage, session, 1)
    await storage.commit(session, [{ type: "message.remove", messageID: messageID(1) }])
    await storage.commit(session, [putMessage(user(1))])
    expect(await storage.readChanges(session, 1)).toEqual([
      { type: "part.remove", revision: 2, messageID: messageID(1), partID: partID(1) },
      { type: "message.put", revision: 3, message: user(1) },
    ])
    expect((await storage.readContext(session)).messages).toEqual([{ info: user(1), parts: [] }])
  },
  "brings a reader from any revision to the present": async ({ storage }) => {
    const commits = [
      [putSession(sampleSession(session)), putMessage(user(1)), putPart(text(1, "a")), putPart(text(2, "b"))],
      [putMessage(user(2)), putPart(text(2, "c"))],
      [{ type: "part.remove" as const, messageID: messageID(1), partID: partID(1) }],
      [{ type: "message.remove" as const, messageID: messageID(1) }],
      [putMessage(user(1)), putPart(text(3, "d"))],
      [{ type: "session.patch" as const, changes: { title: "Second" } }],
      [putPart(text(1, "e")), { type: "message.remove" as const, messageID: messageID(2) }, putMessage(user(3))],
    ]
    const states = []
    for (const writes of commits) {
      await storage.commit(session, writes)
      states.push(await storage.readContext(session))
    }
    for (const state of states) {
      const found = await storage.readChanges(session, state.revision)
      expect(foldChanges(state, found)).toEqual(states.at(-1))
    }
  },
  "refuses a session that does not exist": async ({ storage }) => {
    await expect(storage.readChanges(session, 0)).rejects.toThrow(NotFoundError)
  },
})
