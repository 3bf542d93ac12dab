import { expect, it } from "vitest"
import type { Write } from "../../contracts/storage.ts"
import type { Journal } from "../../store/journal.ts"
import type { TextPart } from "../../record/message.ts"
import { createTextStream } from "./text-stream.ts"

const part: TextPart = {
  id: "prt_1",
  sessionID: "ses_1",
  messageID: "msg_1",
  type: "text",
  text: "",
  time: { start: 1 },
}

function testStream() {
  const saved: Write[] = []
  const journal: Pick<Journal, "save"> = { save: (write) => void saved.push(write) }
  const texts = () =>
    saved.map((write) => (write.type === "part.put" && write.part.type === "text" ? write.part.text : ""))
  return { stream: createTextStream(part, journal), saved, texts }
}

const lengthOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0)

it.each([
  [10, "word "],
  [1_000, "word "],
  [100_000, "word "],
  [1_000, "a longer delta than most providers send, in one piece "],
  [10, "x".repeat(5_000)],
  [1, "x".repeat(100_000)],
])("saves at most one and a half times the text of %d deltas", (count, delta) => {
  const { stream, texts } = testStream()
  let atMost = 0
  for (let n = 1; n <= count; n++) {
    stream.append(delta)
    atMost = Math.max(atMost, lengthOf(texts()) / (delta.length * n))
  }
  expect(atMost).toBeLessThanOrEqual(1.5)
  expect(stream.part().text).toBe(delta.repeat(count))
})

it("saves all of the text so far, as the part that it belongs to", () => {
  const { stream, saved } = testStream()
  const delta = "x".repeat(3_000)
  stream.append(delta)
  expect(saved).toEqual([{ type: "part.put", part: { ...part, text: delta } }])
})

it("loses at most two thirds of a long text, and little of a short one", () => {
  const { stream, texts } = testStream()
  for (let length = 1; length <= 50_000; length++) {
    stream.append("x")
    const lost = length - (texts().at(-1)?.length ?? 0)
    if (lost > Math.max(2_048, (length * 2) / 3)) expect.fail(`${lost} of ${length} characters would be lost`)
  }
  expect(texts().length).toBeGreaterThan(1)
})

it("saves nothing of a short text: its end is committed anyway", () => {
  const { stream, saved } = testStream()
  stream.append("Hello")
  stream.append(", world")
  expect(saved).toEqual([])
  expect(stream.part()).toEqual({ ...part, text: "Hello, world" })
  expect(part.text).toBe("")
})

it("knows whose text it is", () => {
  const { id, sessionID, messageID } = part
  expect(testStream().stream).toMatchObject({ id, sessionID, messageID })
})
