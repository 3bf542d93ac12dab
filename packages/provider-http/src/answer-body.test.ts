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

describe("a report of tokens of a wrong type", () => {
  it.each([
    ['{"usage":"x","a":"é"}', '{"usage":null,"a":"é"}'],
    ['{"usage":{"prompt_tokens":"many"}}', '{"usage":null}'],
    ['{"usage":{"prompt_tokens":1e999}}', '{"usage":null}'],
    ['{"usageMetadata":{"promptTokensDetails":[{"tokenCount":"1"}]}}', '{"usageMetadata":null}'],
    ['{"type":"message_start","message":{}}', '{"type":"message_start","message":{"usage":{"input_tokens":0}}}'],
    ['{"type":"message_delta","usage":[]}', '{"type":"message_delta","usage":{"output_tokens":0}}'],
    ['{"response":{"usage":{}}}', '{"response":{"usage":{"input_tokens":0,"output_tokens":0}}}'],
  ])("becomes a missing one, in however many pieces it comes: %s", async (reported, missing) => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const text = `data: ${reported}${end}${end}`
      const pieces = [...Buffer.from(text)].map((byte) => Buffer.of(byte))
      for (const chunks of [[Buffer.from(text)], pieces]) {
        expect(await read(answerBody(ReadableStream.from(chunks)))).toBe(`data: ${missing}${end}${end}`)
      }
    }
  })

  it.each([
    '{"usage":{"prompt_tokens":5,"prompt_tokens_details":{"cached_tokens":null},"cost":"low"}, "n": 1.0}',
    '{"usage":null, "n": 1.0}',
    '{"choices":[{"delta":{"content":"\\"usage\\":\\"x\\""}}], "n": 1.0}',
    '{"type":"message_delta","usage":{"output_tokens":5}, "n": 1.0}',
    '{"usage": broken',
  ])("is none of what can be read, or is no report: %s", async (event) => {
    const text = `data: ${event}\n\n`
    expect(await read(answerBody(endless([text, "data: [DONE]\n\n"])))).toBe(`${text}data: [DONE]\n\n`)
  })

  it("is looked for in a last line without an end, too", async () => {
    const body = new Blob(['data: {"usage":1}\n\ndata: {"usage":2}']).stream()
    expect(await read(answerBody(body))).toBe('data: {"usage":null}\n\ndata: {"usage":null}')
  })
})
