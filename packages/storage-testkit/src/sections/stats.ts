import type { StorageStats } from "@pawl/core/storage"
import { expect } from "vitest"
import { messageID, partID, sampleParts, sampleSession, sampleText, sampleUserMessage, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { putMessage, putPart, putSession, storeConversation } from "../writes.ts"

const session = sessionID(1)
const nothing = { count: 0, bytes: 0 }

/** Returns the number of these values and the bytes of their JSON. */
function counted(values: readonly unknown[]): StorageStats["records"]["part"] {
  const bytes = values.map((value) => Buffer.byteLength(JSON.stringify(value)))
  return { count: values.length, bytes: bytes.reduce((sum, size) => sum + size, 0) }
}

export const stats = section("stats", {
  "counts nothing in a new storage": async ({ storage }) => {
    const { records } = await storage.stats()
    expect(records).toEqual({ session: nothing, message: nothing, part: nothing, blob: nothing })
  },
  "counts records of each kind, and the bytes of their JSON": async ({ storage }) => {
    const sessions = [sampleSession(session, { title: "Größe 漢字 👩‍👧" }), sampleSession(sessionID(2))]
    const messages = [1, 2].map((number) => sampleUserMessage(session, messageID(number)))
    const parts = [...sampleParts(session, messageID(1)), sampleText(session, messageID(2), partID(1), { text: "é\n" })]
    for (const some of sessions) await storage.commit(some.id, [putSession(some)])
    await storage.commit(session, [...messages.map(putMessage), ...parts.map(putPart)])
    const { records } = await storage.stats()
    const expected = { session: counted(sessions), message: counted(messages), part: counted(parts), blob: nothing }
    expect(records).toEqual(expected)
  },
  "counts a record that was written again once, by its last state": async ({ storage }) => {
    await storeConversation(storage, session, 1)
    const part = sampleText(session, messageID(1), partID(1), { text: "longer ".repeat(100) })
    for (const text of ["a", "", part.text]) await storage.commit(session, [putPart({ ...part, text })])
    await storage.commit(session, [{ type: "session.patch", changes: { title: "Another title", agent: "build" } }])
    const { records } = await storage.stats()
    expect(records.part).toEqual(counted([part]))
    expect(records.session).toEqual(counted([sampleSession(session, { title: "Another title", agent: "build" })]))
  },
  "counts nothing that was removed": async ({ storage }) => {
    const [message] = await storeConversation(storage, session, 3)
    await storage.commit(session, [
      { type: "message.remove", messageID: messageID(2) },
      { type: "part.remove", messageID: messageID(3), partID: partID(3) },
    ])
    const { records } = await storage.stats()
    expect(records.message).toEqual(counted([message?.info, message?.info]))
    expect(records.part).toEqual(counted([message?.parts[0]]))
  },
  "counts nothing of removed sessions and those below them": async ({ storage }) => {
    for (const number of [1, 2, 3]) await storeConversation(storage, sessionID(number), 2)
    await storage.commit(sessionID(2), [{ type: "session.patch", changes: { parentID: session } }])
    await storage.removeSession(session)
    const { records } = await storage.stats()
    expect([records.session.count, records.message.count, records.part.count]).toEqual([1, 2, 2])
    await storage.removeSession(sessionID(3))
    const left = (await storage.stats()).records
    expect(left).toEqual({ session: nothing, message: nothing, part: nothing, blob: nothing })
  },
  "counts each blob once, with the bytes of its content": async ({ storage }) => {
    for (const text of ["one", "größer", "one", ""]) await storage.blobs.put(Buffer.from(text))
    await storage.blobs.put(Buffer.alloc(600_000))
    expect((await storage.stats()).records.blob).toEqual({ count: 4, bytes: 3 + 8 + 600_000 })
  },
  "says what the location takes": async ({ storage }) => {
    await storeConversation(storage, session, 20)
    const { totalBytes } = await storage.stats()
    expect(Number.isSafeInteger(totalBytes)).toBe(true)
    expect(totalBytes).toBeGreaterThan(0)
  },
})
