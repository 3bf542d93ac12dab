import type { MessageID, MessageWithParts } from "@pawl/core/record"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { sampleSession, sampleUserMessage } from "@pawl/storage-testkit/samples"
import { collected } from "./collected.ts"
import { oldestFirst } from "./oldest-first.ts"

const id = "ses_1"

const idOf = (number: number): MessageID => `msg_${String(number).padStart(3, "0")}`
const numbersOf = (messages: readonly MessageWithParts[]) => messages.map(({ info }) => Number(info.id.slice(4)))
const messagePut = (number: number) => {
  return { type: "message.put", message: sampleUserMessage(id, idOf(number)) } as const
}

async function storageWith(count: number) {
  const storage = memoryStorage()
  const messages = Array.from({ length: count }, (_, index) => messagePut(index + 1))
  await storage.commit(id, [{ type: "session.put", session: sampleSession(id) }, ...messages])
  return storage
}

it.each([0, 1, 2, 3, 4, 6, 7, 9, 10])("tells %i messages once each, the oldest first", async (count) => {
  const told = await collected(oldestFirst(await storageWith(count), id, { page: 3 }))

  expect(numbersOf(told)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
})

it.each([1, 3, 4, 8])("tells the newest %i of ten", async (limit) => {
  const told = await collected(oldestFirst(await storageWith(10), id, { page: 3, limit }))

  expect(numbersOf(told)).toEqual(Array.from({ length: limit }, (_, index) => 11 - limit + index))
})

it("tells none twice where one is removed and another comes meanwhile", async () => {
  const storage = await storageWith(9)
  const messages = oldestFirst(storage, id, { page: 3 })
  const { value: first } = await messages.next()
  await storage.commit(id, [{ type: "message.remove", messageID: idOf(5) }, messagePut(10)])
  const rest = await collected(messages)

  expect(numbersOf([first as MessageWithParts, ...rest])).toEqual([1, 2, 3, 4, 6, 7, 8, 9])
})
