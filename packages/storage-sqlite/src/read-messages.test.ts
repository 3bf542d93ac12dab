import type { Write } from "@pawl/core/storage"
import {
  messageID,
  partID,
  sampleAssistantMessage,
  sampleText,
  sampleUserMessage,
  sessionID,
} from "@pawl/storage-testkit"
import { expect, it, onTestFinished } from "vitest"
import { countedStorage, countReads } from "../test/counted-storage.ts"
import { collect, storeSession, temporaryFile } from "../test/place.ts"

const session = sessionID(1)
const COUNT = 150

async function longSession() {
  const storage = await countedStorage(temporaryFile())
  onTestFinished(() => storage.close())
  await storeSession(storage, session)
  const writes = Array.from({ length: COUNT }, (_, at): Write[] => [
    { type: "message.put", message: sampleUserMessage(session, messageID(at)) },
    { type: "part.put", part: sampleText(session, messageID(at), partID(at)) },
  ])
  await storage.commit(session, writes.flat())
  return storage
}

it("reads the newest message alone where nobody goes on to the next", async () => {
  const storage = await longSession()
  const before = countReads(storage)
  for await (const { info } of storage.readMessages(session)) {
    expect(info.id).toBe(messageID(COUNT - 1))
    break
  }
  expect(countReads(storage) - before).toBe(2)
})

it("reads each record once where somebody reads them all", async () => {
  const storage = await longSession()
  const before = countReads(storage)
  const messages = await collect(storage.readMessages(session))
  expect(messages.map(({ info }) => info.id)).toEqual(
    Array.from({ length: COUNT }, (_, at) => messageID(at)).toReversed(),
  )
  expect(countReads(storage) - before).toBe(2 * COUNT)
})

it("leaves the parts of assistant messages unread for a reader that ignores them", async () => {
  const storage = await longSession()
  const answer = sampleAssistantMessage(session, messageID(COUNT))
  await storage.commit(session, [
    { type: "message.put", message: answer },
    { type: "part.put", part: sampleText(session, answer.id, partID(COUNT)) },
  ])
  const [newest, second] = await collect(storage.readMessages(session, { assistantParts: false, limit: 2 }))
  expect(newest).toEqual({ info: answer, parts: [] })
  expect(second?.parts).toHaveLength(1)
})
