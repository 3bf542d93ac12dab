import * as fc from "fast-check"
import { expect, it } from "vitest"
import type { ModelMessage, ToolDefinition } from "../contracts/model.ts"
import { defaultInputRules } from "./default-input-rules.ts"
import { createMeasure, type MeasuredRequest, totalBytes } from "./measure.ts"

const plain = {}
const fileTokens = { ...defaultInputRules.fileTokens, image: () => 258 }
const flat = { inputRules: { ...defaultInputRules, fileTokens } }
const request = (parts: Partial<MeasuredRequest>): MeasuredRequest => ({
  system: [],
  tools: [],
  messages: [],
  ...parts,
})
const frame = 16

it("counts what goes on the wire as content, in UTF-8, and a frame around each", () => {
  const tool = { name: "read", description: "Reads é.", inputSchema: { type: "object" } }
  const messages: ModelMessage[] = [
    { role: "user", content: [{ type: "text", text: "größer" }] },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm", metadata: { signature: "not counted" } },
        { type: "tool-call", callID: "c", name: "read", input: { path: "日" } },
      ],
    },
    { role: "tool", content: [{ type: "tool-result", callID: "c", name: "read", output: "four", isError: false }] },
  ]
  const measured = createMeasure().request({ system: ["be brief", "now"], tools: [tool], messages }, plain)
  expect(measured.messages.map(({ bytes }) => bytes)).toEqual([frame + 8, frame + 2 + 4 + 14, frame + 4])
  expect(measured.bytes).toEqual({ system: 2 * frame + 11, tools: frame + 4 + 9 + 17, messages: 3 * frame + 32 })
  expect(totalBytes(measured)).toBe(measured.bytes.system + measured.bytes.tools + measured.bytes.messages)
})

it("counts files in tokens of the model that is asked, and none of their bytes", () => {
  const gif = Buffer.concat([Buffer.from("GIF89a"), Buffer.from([0xe8, 3, 0xe8, 3]), Buffer.alloc(30)])
  const file = { type: "file", mime: "image/gif", url: `data:image/gif;base64,${gif.toString("base64")}` } as const
  const result = { type: "tool-result", callID: "c", name: "look", output: "ok", isError: false } as const
  const messages: ModelMessage[] = [
    { role: "user", content: [file] },
    { role: "tool", content: [{ ...result, attachments: [file] }] },
  ]
  const measure = createMeasure()
  expect(measure.request(request({ messages }), plain).messages).toEqual([
    { bytes: frame, media: 1_334 },
    { bytes: frame + 2, media: 1_334 },
  ])
  expect(measure.request(request({ messages }), flat).media).toBe(2 * 258)
})

it("reads each message and each list of tools once", () => {
  let reads = 0
  const counted = <T extends object>(value: T, key: keyof T): T => {
    const found = value[key]
    return Object.defineProperty({ ...value }, key, { get: () => (reads++, found) })
  }
  const messages = Array.from({ length: 5 }, () => {
    return counted<ModelMessage>({ role: "user", content: [{ type: "text", text: "hello" }] }, "content")
  })
  const tools = [counted<ToolDefinition>({ name: "read", description: "Reads.", inputSchema: {} }, "inputSchema")]
  const measure = createMeasure()
  const first = measure.request(request({ tools, messages }), plain)
  expect(reads).toBe(6)
  const again = measure.request(request({ tools, messages: [...messages] }), flat)
  expect(reads).toBe(6)
  expect(again).toEqual(first)
})

it("measures a request as the sum of its messages", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 50 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 10 }), (texts) => {
      const messages = texts.map((text): ModelMessage => ({ role: "user", content: [{ type: "text", text }] }))
      const measured = createMeasure().request(request({ messages }), plain)
      const bytes = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length + frame, 0)
      expect(measured.bytes.messages).toBe(bytes)
    }),
  )
})
