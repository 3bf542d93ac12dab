import { describe, expect, it } from "vitest"
import { answerBody } from "./answer-body.ts"

/** A body of these chunks that never ends by itself. */
function endless(chunks: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const left = [...chunks]
  return new ReadableStream({
    pull(controller) {
      const chunk = left.shift()
      if (chunk !== undefined) controller.enqueue(Buffer.from(chunk))
    },
  })
}

async function read(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe("a body that stays open behind its last event", () => {
  const ends: readonly (readonly string[])[] = [
    ["data: {}\n\n", "data: [DONE]\n\n"],
    ["data: {}\n\nda", "ta: [DO", "NE]\n\n"],
    ["data:[DONE]\r\n\r\n"],
    ['event: response.completed\ndata: {"type":', '"response.completed"}', "\n", "\n"],
    ["data: {}\n\nevent: response.incomplete\n", "data: {}\n\n"],
  ]
  it.each(ends)("ends with it: %j %j %j %j", async (...chunks) => {
    expect(await read(answerBody(endless(chunks.filter((chunk) => typeof chunk === "string"))))).toBe(chunks.join(""))
  })

  it("does not end with what a model says of it", async () => {
    const said = 'data: {"text":"\\ndata: [DONE]\\n\\nevent: response.completed"}\n\n'
    const reader = answerBody(endless([said, "data: 2\n\n", "data: [DONE]\n\n"])).getReader()
    const chunks = [await reader.read(), await reader.read(), await reader.read()]
    expect(chunks.map(({ done }) => done)).toEqual([false, false, false])
    expect(await reader.read()).toMatchObject({ done: true })
  })
})

describe("bytes that are not UTF-8", () => {
  const bytes = Buffer.from("data: Grüße an 日本 🦜\n\n")

  it("are refused wherever they come", async () => {
    for (const wrong of [Buffer.of(0xff), Buffer.of(0xc3, 0x28), Buffer.of(0xe2, 0x82, 0x20), bytes.subarray(0, 9)]) {
      const body = answerBody(endless([bytes, wrong, "data: [DONE]\n\n"]))
      await expect(read(body)).rejects.toMatchObject({ kind: "incomplete-stream" })
    }
  })

  it("are none of a character that comes in two pieces", async () => {
    const cuts = Array.from({ length: bytes.length + 1 }, (_, at) => {
      const pieces = [bytes.subarray(0, at), bytes.subarray(at), "\ndata: [DONE]\n\n"]
      return read(answerBody(endless(pieces)))
    })
    for (const text of await Promise.all(cuts)) expect(text).toContain("🦜")
  })
})
