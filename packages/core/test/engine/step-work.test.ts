import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { conversation, said as words } from "../conversation.ts"
import { testEngine } from "../engine-fixture.ts"
import { around, look, looking, windowModel } from "../window-model.ts"
import { createIDSource } from "../../src/base/ids.ts"
import type { Storage } from "../../src/contracts/storage.ts"

const STEPS = 8

/** For each step, how often it reads a text that was stored before the run, and the content of a model message that was sent before. */
async function workOf(count: number) {
  let texts = 0
  let contents = 0
  const storage = memoryStorage()
  const watched = Object.assign(Object.create(storage) as Storage, {
    async readContext(...input: Parameters<Storage["readContext"]>) {
      const context = await storage.readContext(...input)
      for (const { parts } of context.messages) {
        for (const part of parts) if (part.type === "text") watch(part, "text", () => texts++)
      }
      return context
    },
  })
  const sent = new WeakSet<object>()
  const work: { texts: number; contents: number }[] = []
  const inner = windowModel({ context: 0, agent: looking(STEPS) })
  const model = around(inner, async function* (request, signal, stream) {
    work.push({ texts, contents })
    try {
      yield* stream(request, signal)
    } finally {
      for (const message of request.messages) if (!sent.has(message)) watch(message, "content", () => contents++)
      for (const message of request.messages) sent.add(message)
      texts = 0
      contents = 0
    }
  })
  await using test = await testEngine({ model, tools: [look], storage: watched })
  const talk = conversation(createIDSource(Date.now), test.session.id, model.ref)
  for (let at = 0; at < count; at += 2) {
    talk.user(words(`ask ${at}`))
    talk.assistant({}, { ...words(`answer ${at} ${"y".repeat(200)}`), time: { start: 1, end: 1 } })
  }
  await talk.commit(storage)
  expect(await test.ask("Go")).toMatchObject({ type: "answered" })
  expect(inner.asked.at(-1)?.messages.length).toBeGreaterThan(count)
  return work
}

function watch<T extends object>(owner: T, key: keyof T, onRead: () => void): void {
  const value = owner[key]
  Object.defineProperty(owner, key, { enumerable: true, configurable: true, get: () => (onRead(), value) })
}

it.each([200, 2000])("a step reads nothing anew of %s messages that the step before it has sent", async (count) => {
  const [first, ...later] = await workOf(count)
  expect(first?.texts).toBeGreaterThanOrEqual(count)
  expect(later).toEqual(Array.from({ length: STEPS }, () => ({ texts: 0, contents: 0 })))
})

it("a step without limits reads the prices once, for the usage that is stored", async () => {
  let reads = 0
  const inner = windowModel({ context: 0, agent: looking(STEPS) })
  const info = { ...inner.info }
  watch(info, "cost", () => reads++)
  await using test = await testEngine({ model: { ...inner, info }, tools: [look] })
  expect(await test.ask("Go")).toMatchObject({ type: "answered" })
  expect(reads).toBe(STEPS + 1)
})
