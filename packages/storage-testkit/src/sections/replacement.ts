import { expect } from "vitest"
import {
  messageID,
  partID,
  sampleAssistantMessage,
  sampleSession,
  sampleText,
  sampleUserMessage,
  sessionID,
} from "../samples.ts"
import { section } from "../section.ts"
import { collect, putMessage, putPart, putSession, storeConversation } from "../writes.ts"

const session = sessionID(1)

export const replacement = section("replace by id", {
  "replaces a session whole": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session, { agent: "plan", metadata: { a: 1 } }))])
    const second = sampleSession(session, { title: "Second" })
    await storage.commit(session, [putSession(second)])
    expect(await storage.getSession(session)).toEqual(second)
    expect(await collect(storage.listSessions())).toEqual([second])
  },
  "keeps the messages when the session is replaced": async ({ storage }) => {
    const messages = await storeConversation(storage, session, 2)
    await storage.commit(session, [putSession(sampleSession(session, { title: "Second" }))])
    expect((await storage.readContext(session)).messages).toEqual(messages)
  },
  "replaces a message whole and keeps its parts": async ({ storage }) => {
    const [first] = await storeConversation(storage, session, 1)
    const second = sampleAssistantMessage(session, messageID(1))
    await storage.commit(session, [putMessage(second)])
    expect((await storage.readContext(session)).messages).toEqual([{ info: second, parts: first?.parts }])
  },
  "replaces a part whole": async ({ storage }) => {
    await storeConversation(storage, session, 1)
    await storage.commit(session, [
      putPart(sampleText(session, messageID(1), partID(1), { text: "Long ".repeat(100_000), metadata: { a: 1 } })),
    ])
    const last = sampleText(session, messageID(1), partID(1), { text: "Short" })
    await storage.commit(session, [putPart(last)])
    expect((await storage.readContext(session)).messages[0]?.parts).toEqual([last])
  },
  "takes the last of several writes to one record in a commit": async ({ storage }) => {
    const part = (text: string) => sampleText(session, messageID(1), partID(1), { text })
    await storage.commit(session, [
      putSession(sampleSession(session)),
      putMessage(sampleUserMessage(session, messageID(1))),
      putPart(part("first")),
      putPart(part("second")),
      putSession(sampleSession(session, { title: "Second" })),
    ])
    const context = await storage.readContext(session)
    expect(context.messages[0]?.parts).toEqual([part("second")])
    expect(context.session.title).toBe("Second")
  },
  "keeps parts with one id in two messages apart": async ({ storage }) => {
    const part = (message: number) => sampleText(session, messageID(message), partID(1), { text: `Of ${message}` })
    await storage.commit(session, [
      putSession(sampleSession(session)),
      ...[1, 2].map((number) => putMessage(sampleUserMessage(session, messageID(number)))),
      ...[1, 2].map((number) => putPart(part(number))),
    ])
    const { messages } = await storage.readContext(session)
    expect(messages.map(({ parts }) => parts)).toEqual([[part(1)], [part(2)]])
  },
})
