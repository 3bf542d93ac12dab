import { expect } from "vitest"
import { messageID, partID, sampleAssistantMessage, sampleSession, sampleText, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { collect, putMessage, putPart, putSession, storeConversation } from "../writes.ts"

const session = sessionID(1)

export const messagePaging = section("paging through messages", {
  "reads only messages older than the given one": async ({ storage }) => {
    const messages = await storeConversation(storage, session, 5)
    const older = await collect(storage.readMessages(session, { before: messageID(4) }))
    expect(older).toEqual(messages.slice(0, 3).toReversed())
  },
  "reads no more than the limit": async ({ storage }) => {
    const messages = await storeConversation(storage, session, 5)
    expect(await collect(storage.readMessages(session, { limit: 2 }))).toEqual(messages.slice(3).toReversed())
    expect(await collect(storage.readMessages(session, { limit: 50 }))).toHaveLength(5)
    expect(await collect(storage.readMessages(session, { limit: 0 }))).toEqual([])
  },
  "meets each message once when read page by page": async ({ storage }) => {
    const messages = await storeConversation(storage, session, 7)
    const first = await collect(storage.readMessages(session, { limit: 3 }))
    const second = await collect(storage.readMessages(session, { limit: 3, before: messageID(5) }))
    const third = await collect(storage.readMessages(session, { limit: 3, before: messageID(2) }))
    expect([...first, ...second, ...third]).toEqual(messages.toReversed())
  },
  "reads hundreds of messages in one iteration": async ({ storage }) => {
    const messages = await storeConversation(storage, session, 230)
    expect(await collect(storage.readMessages(session))).toEqual(messages.toReversed())
    expect(await collect(storage.readMessages(session, { limit: 101 }))).toEqual(messages.slice(129).toReversed())
  },
  "takes a message that was never stored as a place between others": async ({ storage }) => {
    const messages = await storeConversation(storage, session, 3)
    expect(await collect(storage.readMessages(session, { before: `${messageID(2)}a` }))).toEqual(
      messages.slice(0, 2).toReversed(),
    )
    expect(await collect(storage.readMessages(session, { before: messageID(0) }))).toEqual([])
    expect(await collect(storage.readMessages(session, { before: messageID(9) }))).toEqual(messages.toReversed())
  },
  "counts removed messages out of the limit": async ({ storage }) => {
    const messages = await storeConversation(storage, session, 5)
    await storage.commit(session, [{ type: "message.remove", messageID: messageID(4) }])
    expect(await collect(storage.readMessages(session, { limit: 2 }))).toEqual([messages[4], messages[2]])
  },
  "counts messages, not their parts": async ({ storage }) => {
    await storeConversation(storage, session, 3)
    const parts = Array.from({ length: 120 }, (_, index) => sampleText(session, messageID(3), partID(1000 + index)))
    await storage.commit(session, parts.map(putPart))
    const page = await collect(storage.readMessages(session, { limit: 2 }))
    expect(page.map(({ info, parts: found }) => [info.id, found.length])).toEqual([
      [messageID(3), 121],
      [messageID(2), 1],
    ])
  },
  "reads messages and the parts of prompts for a reader that ignores the parts of answers": async ({ storage }) => {
    const messages = await storeConversation(storage, session, 120)
    const answer = sampleAssistantMessage(session, messageID(121))
    const part = sampleText(session, answer.id, partID(121))
    await storage.commit(session, [putMessage(answer), putPart(part)])
    const [newest, ...others] = await collect(storage.readMessages(session, { assistantParts: false }))
    expect(newest?.info).toEqual(answer)
    // The storage may leave them out.
    expect([[], [part]]).toContainEqual(newest?.parts)
    expect(others).toEqual(messages.toReversed())
    const page = await collect(storage.readMessages(session, { assistantParts: false, before: messageID(5), limit: 3 }))
    expect(page).toEqual(messages.slice(1, 4).toReversed())
  },
  "lets a reader stop early": async ({ storage }) => {
    await storeConversation(storage, session, 120)
    let read = 0
    for await (const _ of storage.readMessages(session)) if (++read === 60) break
    expect(read).toBe(60)
    expect(await storage.commit(session, [])).toBe(2)
  },
  "reads nothing of a session without messages or without a record": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    expect(await collect(storage.readMessages(session))).toEqual([])
    expect(await collect(storage.readMessages(sessionID(2)))).toEqual([])
  },
})
