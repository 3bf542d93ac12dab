import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { expect, it, onTestFinished } from "vitest"
import { collect, temporaryFile } from "../../test/place.ts"
import { openConnection } from "../open-connection.ts"
import { createStorage } from "../sqlite-storage.ts"
import { matchIn } from "./match.ts"

const session = sessionID(1)

it("asks the index for some of many words, and says that it did not ask for all", async () => {
  const connection = await openConnection({ path: temporaryFile(), durability: "sync", lockTimeout: 1000 })
  onTestFinished(() => connection.close())
  const storage = createStorage(connection)
  const words = Array.from({ length: 1000 }, (_, index) => `w${index + 1000}`)
  const texts = [words.join(" "), words.slice(0, 999).join(" ")]
  await storage.commit(session, [
    { type: "session.put", session: sampleSession(session) },
    { type: "message.put", message: sampleUserMessage(session, messageID(1)) },
    ...texts.map((text, index) => {
      const part = sampleText(session, messageID(1), partID(index + 1), { text })
      return { type: "part.put", part } as const
    }),
  ])
  expect((await collect(storage.search({ text: words.join(" ") }))).map((hit) => hit.partID)).toEqual([partID(1)])
  const match = matchIn(connection, 1, words, undefined)
  expect(match?.expression.split(" AND ")).toHaveLength(32)
  expect(match?.isWhole).toBe(false)
})
