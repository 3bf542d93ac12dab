import { describeRecord, storeSamples } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { memoryStorage } from "../src/memory-storage.ts"

it("describes what the sample records are there for, as JSON", async () => {
  const storage = memoryStorage()
  await storeSamples(storage)
  const description = await describeRecord(storage)
  expect(JSON.parse(JSON.stringify(description))).toEqual(description)

  const [first] = description.sessions
  const types = first?.messages.flatMap(({ parts }) => parts.map(({ type }) => type))
  expect(new Set(types).size).toBe(15)
  expect(first?.changes.map(({ type }) => type)).toEqual(expect.arrayContaining(["message.remove", "part.remove"]))
  expect(first?.session.title).toContain("\ud83d ")
  expect(description.sessions.some(({ session }) => session.parentID)).toBe(true)
  expect(description.sessions.some(({ session }) => session.time.archived)).toBe(true)
  expect(Object.values(description.blobs)).toEqual([Buffer.from("what an earlier version kept").toString("base64")])
})
