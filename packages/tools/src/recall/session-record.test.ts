import { createIDSource } from "@pawl/core"
import type { MessageID, MessageQuery, Part, PartID, Storage } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { memoryStorage } from "@pawl/storage-memory"
import { sessionRecord } from "./session-record.ts"

/** A session of 300 prompts, with the number of messages that were read of it. */
async function longSession() {
  let now = Date.UTC(2026, 0, 1)
  const ids = createIDSource(() => (now += 1000))
  const storage = memoryStorage()
  const sessionID = ids.session()
  const time = { created: now, updated: now }
  await storage.commit(sessionID, [
    { type: "session.put", session: { id: sessionID, projectID: "p", directory: "/", title: "", version: "1", time } },
  ])
  const parts: { messageID: MessageID; id: PartID }[] = []
  for (let n = 0; n < 300; n++) {
    const messageID = ids.message()
    const part: Part = { id: ids.part(), messageID, sessionID, type: "text", text: `prompt ${n}` }
    const model = { providerID: "p", modelID: "m" }
    const message = { id: messageID, sessionID, role: "user", agent: "build", model, time: { created: now } } as const
    await storage.commit(sessionID, [
      { type: "message.put", message },
      { type: "part.put", part },
    ])
    parts.push(part)
  }
  const reading = { count: 0 }
  const counted: Pick<Storage, "search" | "readMessages"> = {
    search: (query) => storage.search(query),
    async *readMessages(id, query?: MessageQuery) {
      for await (const message of storage.readMessages(id, query)) {
        reading.count++
        yield message
      }
    },
  }
  return { parts, sessionID, reading, record: sessionRecord(counted) }
}

it("comes to a part by the time in its id, wherever it stands", async () => {
  const { parts, sessionID, reading, record } = await longSession()
  for (const n of [0, 150, 299]) {
    reading.count = 0
    const found = await record.readPart({ sessionID, partID: parts[n]?.id as PartID })
    expect(found).toMatchObject({ part: { text: `prompt ${n}` }, message: { id: parts[n]?.messageID } })
    expect(reading.count).toBeLessThanOrEqual(3)
  }
})

it("reads one message where it is known", async () => {
  const { parts, sessionID, reading, record } = await longSession()
  const { id: partID, messageID } = parts[10] as { id: PartID; messageID: MessageID }
  expect(await record.readPart({ sessionID, partID, messageID })).toMatchObject({ part: { text: "prompt 10" } })
  expect(reading.count).toBe(1)
})

it("finds nothing where there is no such part", async () => {
  const { sessionID, record } = await longSession()
  expect(await record.readPart({ sessionID, partID: "prt_01J00000000000000000000000" })).toBeUndefined()
})
