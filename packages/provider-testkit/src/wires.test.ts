import { describe, expect, it } from "vitest"
import type { Turn, Wire } from "./request-view.ts"
import { anthropicWire } from "./wires/anthropic.ts"
import { chatWire } from "./wires/chat.ts"
import { geminiWire } from "./wires/gemini.ts"
import { responsesWire } from "./wires/responses.ts"

const schema = { type: "object" }
const described = { name: "read", description: "Reads." }
const turns: Turn[] = [
  {
    role: "user",
    parts: [
      { type: "text", text: "Hi" },
      { type: "file", mime: "image/png", base64: "AAAA" },
    ],
  },
  { role: "assistant", parts: [{ type: "call", name: "read", input: { a: 1 } }] },
  {
    role: "user",
    parts: [
      { type: "result", output: "ok" },
      { type: "text", text: "Go on" },
    ],
  },
]
const url = "data:image/png;base64,AAAA"

describe("the same request", () => {
  it.each<[string, Wire, unknown]>([
    [
      "in chat completions",
      chatWire,
      {
        messages: [
          { role: "system", content: "Be brief." },
          {
            role: "user",
            content: [
              { type: "text", text: "Hi" },
              { type: "image_url", image_url: { url } },
            ],
          },
          { role: "assistant", content: null, tool_calls: [{ function: { name: "read", arguments: '{"a":1}' } }] },
          { role: "tool", content: "ok" },
          { role: "user", content: "Go on" },
        ],
        tools: [{ function: { ...described, parameters: schema } }],
      },
    ],
    [
      "in messages",
      anthropicWire,
      {
        system: "Be brief.",
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "Hi" },
              { type: "image", source: { media_type: "image/png", data: "AAAA" } },
            ],
          },
          { role: "assistant", content: [{ type: "tool_use", name: "read", input: { a: 1 } }] },
          {
            role: "user",
            content: [
              { type: "tool_result", content: [{ text: "ok" }] },
              { type: "text", text: "Go on" },
            ],
          },
        ],
        tools: [{ ...described, input_schema: schema }],
      },
    ],
    [
      "in responses",
      responsesWire,
      {
        input: [
          { role: "developer", content: "Be brief." },
          {
            role: "user",
            content: [
              { type: "input_text", text: "Hi" },
              { type: "input_image", image_url: url },
            ],
          },
          { type: "function_call", name: "read", arguments: '{"a":1}' },
          { type: "function_call_output", output: "ok" },
          { role: "user", content: [{ type: "input_text", text: "Go on" }] },
        ],
        tools: [{ ...described, parameters: schema }],
      },
    ],
    [
      "in Gemini's words",
      geminiWire,
      {
        systemInstruction: { parts: [{ text: "Be brief." }] },
        contents: [
          { role: "user", parts: [{ text: "Hi" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }] },
          { role: "model", parts: [{ functionCall: { name: "read", args: { a: 1 } } }] },
          { role: "user", parts: [{ functionResponse: { response: { content: "ok" } } }, { text: "Go on" }] },
        ],
        tools: [{ functionDeclarations: [{ ...described, parametersJsonSchema: schema }] }],
      },
    ],
  ])("is read alike %s", (_name, wire, body) => {
    expect(wire.read(body)).toEqual({ system: ["Be brief."], turns, tools: [{ ...described, schema }], marks: [] })
  })

  it("tells where a cache is to end", () => {
    const mark = { cache_control: { type: "ephemeral" } }
    const view = anthropicWire.read({
      system: [{ text: "a" }, { text: "b", ...mark }],
      messages: [
        { role: "user", content: [{ type: "text", text: "Hi", ...mark }] },
        { role: "assistant", content: "Hello" },
        { role: "user", content: [{ type: "text", text: "Hi", ...mark }] },
      ],
      tools: [{ ...described, input_schema: schema, ...mark }],
    })
    expect(view.marks).toEqual(["tools", "system", 0, 2])
  })
})

it.each<[string, Wire, Record<string, string>]>([
  ["chat completions", chatWire, { authorization: "Bearer k" }],
  ["responses", responsesWire, { authorization: "Bearer k" }],
  ["messages", anthropicWire, { "x-api-key": "k" }],
  ["Gemini", geminiWire, { "x-goog-api-key": "k" }],
])("finds the key of %s", (_name, wire, headers) => {
  expect(wire.key(headers)).toBe("k")
  expect(wire.key({})).toBeUndefined()
})
