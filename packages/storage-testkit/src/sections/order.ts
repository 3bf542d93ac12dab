import { expect } from "vitest"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { collect, putMessage, putPart, putSession } from "../writes.ts"

const session = sessionID(1)

export const order = section("order", {
  "reads the context oldest message first, in whatever order they were stored": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    for (const number of [3, 1, 4, 2]) {
      await storage.commit(session, [putMessage(sampleUserMessage(session, messageID(number)))])
    }
    const { messages } = await storage.readContext(session)
    expect(messages.map(({ info }) => info.id)).toEqual([1, 2, 3, 4].map(messageID))
  },
  "reads messages newest first": async ({ storage }) => {
    const numbers = [3, 1, 4, 2]
    const writes = numbers.map((number) => putMessage(sampleUserMessage(session, messageID(number))))
    await storage.commit(session, [putSession(sampleSession(session)), ...writes])
    const messages = await collect(storage.readMessages(session))
    expect(messages.map(({ info }) => info.id)).toEqual([4, 3, 2, 1].map(messageID))
  },
  "reads parts by id within their message": async ({ storage }) => {
    const part = (message: number, number: number) => putPart(sampleText(session, messageID(message), partID(number)))
    await storage.commit(session, [
      putSession(sampleSession(session)),
      putMessage(sampleUserMessage(session, messageID(1))),
      putMessage(sampleUserMessage(session, messageID(2))),
      part(2, 1),
      part(1, 9),
      part(1, 3),
    ])
    await storage.commit(session, [part(1, 5), part(2, 7), part(1, 3)])

    const { messages } = await storage.readContext(session)
    const newestFirst = await collect(storage.readMessages(session))
    expect(messages.map(({ parts }) => parts.map(({ id }) => id))).toEqual([[3, 5, 9].map(partID), [1, 7].map(partID)])
    expect(newestFirst).toEqual([...messages].toReversed())
  },
  "compares ids by their characters, not as numbers or words": async ({ storage }) => {
    const ids = ["msg_10", "msg_9", "msg_B", "msg_a", "msg_a0", "msg_Z"] as const
    await storage.commit(session, [
      putSession(sampleSession(session)),
      ...ids.map((id) => putMessage(sampleUserMessage(session, id))),
    ])
    const { messages } = await storage.readContext(session)
    expect(messages.map(({ info }) => info.id)).toEqual(["msg_10", "msg_9", "msg_B", "msg_Z", "msg_a", "msg_a0"])
  },
  "lists sessions newest first, which is by id": async ({ storage }) => {
    for (const number of [2, 3, 1]) {
      const time = { created: number === 1 ? 0 : 10 ** number, updated: 1 }
      await storage.commit(sessionID(number), [putSession(sampleSession(sessionID(number), { time }))])
    }
    const sessions = await collect(storage.listSessions())
    expect(sessions.map(({ id }) => id)).toEqual([1, 2, 3].map(sessionID))
  },
})
