import { expect } from "vitest"
import { messageID, sampleSession, sampleUserMessage, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { putMessage, putSession, storeConversation } from "../writes.ts"

const session = sessionID(500)

export const iteration = section("reads during iteration", {
  "commits while messages are being read": async ({ storage }) => {
    await storeConversation(storage, session, 120)
    const read: string[] = []
    let revision = 1
    for await (const { info } of storage.readMessages(session)) {
      read.push(info.id)
      if (read.length % 20 > 0) continue
      const newer = putMessage(sampleUserMessage(session, messageID(1000 + read.length)))
      expect(await storage.commit(session, [newer])).toBe(++revision)
    }
    const expected = Array.from({ length: 120 }, (_, index) => messageID(120 - index))
    expect(read).toEqual(expected)
  },
  "removes while messages are being read": async ({ storage }) => {
    await storeConversation(storage, session, 120)
    const read: string[] = []
    for await (const { info } of storage.readMessages(session)) {
      read.push(info.id)
      if (read.length === 10) await storage.removeSession(session)
    }
    expect(read.length).toBeGreaterThanOrEqual(10)
    expect(read).toEqual(Array.from(read, (_, index) => messageID(120 - index)))
  },
  "commits while sessions are being listed": async ({ storage }) => {
    const listed = Array.from({ length: 120 }, (_, index) => sessionID(1000 + index))
    for (const id of listed) await storage.commit(id, [putSession(sampleSession(id))])
    const read: string[] = []
    for await (const { id } of storage.listSessions()) {
      read.push(id)
      const newest = sessionID(900 - read.length)
      if (read.length % 20 === 0) await storage.commit(newest, [putSession(sampleSession(newest))])
    }
    expect(read).toEqual(listed)
  },
  "reads two iterations side by side": async ({ storage }) => {
    await storeConversation(storage, session, 60)
    const first = storage.readMessages(session)[Symbol.asyncIterator]()
    const second = storage.readMessages(session)[Symbol.asyncIterator]()
    for (let number = 60; number > 0; number--) {
      const found = [await first.next(), await second.next()]
      expect(found.map(({ value }) => value?.info.id)).toEqual([messageID(number), messageID(number)])
    }
    expect([(await first.next()).done, (await second.next()).done]).toEqual([true, true])
  },
})
