import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { noServer, openTestStorage, serverURL, temporarySchema } from "../test/place.ts"
import { openConnection } from "./connection.ts"
import { drivingWords, search } from "./search.ts"

it.each([
  ["the rare ones, however many are common", ["the", "rare", "rarer"], [900_000, 5000, 10], 100, ["rare", "rarer"]],
  ["the rarest common one where the walk would be longer", ["the", "old"], [900_000, 30_000], 400_000, ["old"]],
  ["none where what is common will soon be found", ["the", "and"], [900_000, 800_000], 500, []],
])("asks the index for %s", (_what, words, estimates, expected, driving) => {
  expect(drivingWords(words, estimates, expected)).toEqual(driving)
})

it.skipIf(noServer)("asks the index for some of many words, and finds what has all", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema })
  const session = sessionID(1)
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
  const connection = await openConnection({ url: serverURL, schema })
  let estimates = 0
  const counting: typeof connection = {
    ...connection,
    async query<Row>(...query: Parameters<typeof connection.query>) {
      if (query[0].startsWith("EXPLAIN")) estimates++
      return connection.query<Row>(...query)
    },
  }
  const found: string[] = []
  for await (const hit of search(counting, { text: words.join(" ") })) found.push(hit.partID)
  await connection.close()
  expect(found).toEqual([partID(1)])
  expect(estimates).toBeLessThanOrEqual(32)
})
