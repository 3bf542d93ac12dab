import { describe, expect, it } from "vitest"
import { isObject } from "../json-object.ts"
import { validateAnthropicRequest } from "./anthropic/validate-anthropic-request.ts"
import { validateChatRequest } from "./chat/validate-chat-request.ts"
import { validateGeminiRequest } from "./gemini/validate-gemini-request.ts"
import { validateResponsesRequest } from "./responses/validate-responses-request.ts"

const schema = {
  type: "object",
  properties: { a: { type: "array", items: { type: "string", enum: ["x"] } } },
  required: ["a"],
}
const cached = { cache_control: { type: "ephemeral", ttl: "5m" } }

const bodies: [string, (body: unknown) => string | undefined, object][] = [
  [
    "chat",
    validateChatRequest,
    {
      model: "m",
      messages: [
        { role: "user", content: [{ type: "image_url", image_url: { url: "https://127.0.0.1/a.png" } }] },
        { role: "assistant", tool_calls: [{ id: "a", type: "function", function: { name: "read", arguments: "{}" } }] },
        { role: "tool", tool_call_id: "a", content: "ok" },
      ],
      tools: [{ type: "function", function: { name: "read", parameters: schema } }],
      tool_choice: { type: "function", function: { name: "read" } },
      stream: true,
      stream_options: { include_usage: true },
    },
  ],
  [
    "responses",
    validateResponsesRequest,
    {
      model: "m",
      input: [
        { role: "user", content: [{ type: "input_text", text: "Hi" }] },
        { type: "reasoning", id: "rs_1_0", summary: [{ type: "summary_text", text: "Hm" }], encrypted_content: "x" },
        { type: "function_call", id: "fc_1_1_rs_1_0", call_id: "a", name: "read", arguments: "{}" },
        { type: "function_call_output", call_id: "a", output: [{ type: "input_text", text: "ok" }] },
      ],
      tools: [{ type: "function", name: "read", parameters: schema }],
      tool_choice: { type: "function", name: "read" },
      text: { format: { type: "json_schema", name: "a", schema } },
      reasoning: { effort: "low" },
    },
  ],
  [
    "Anthropic",
    validateAnthropicRequest,
    {
      model: "m",
      max_tokens: 2048,
      system: [{ type: "text", text: "a", ...cached }],
      messages: [
        {
          role: "user",
          content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm", signature: "x" },
            { type: "web_search_tool_result", content: [{ type: "web_search_result" }] },
            { type: "tool_use", id: "a", name: "read", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "ok" }], ...cached },
            { type: "search_result", content: [{ type: "text", text: "a" }] },
          ],
        },
      ],
      tools: [{ name: "read", input_schema: schema, ...cached }],
      tool_choice: { type: "auto" },
      thinking: { type: "enabled", budget_tokens: 1024 },
    },
  ],
  [
    "Gemini",
    (body) => validateGeminiRequest(body, "gemini-3"),
    {
      contents: [
        { role: "user", parts: [{ text: "a" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }] },
        { role: "model", parts: [{ functionCall: { id: "1", name: "read", args: {} }, thoughtSignature: "x" }] },
        { role: "user", parts: [{ functionResponse: { id: "1", name: "read", response: {} } }] },
      ],
      systemInstruction: { parts: [{ text: "a" }] },
      tools: [{ functionDeclarations: [{ name: "read", parameters: schema }] }],
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["read"] } },
      generationConfig: { temperature: 1, thinkingConfig: { thinkingLevel: "low" } },
    },
  ],
]

/** The value with another one in the place of each of its parts, one at a time. */
function* variants(value: unknown, other: unknown): Generator {
  yield other
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      for (const variant of variants(element, other)) yield value.with(index, variant)
    }
  } else if (isObject(value)) {
    for (const [key, element] of Object.entries(value)) {
      for (const variant of variants(element, other)) yield { ...value, [key]: variant }
    }
  }
}

describe.each(bodies)("the validator of %s", (_name, validate, body) => {
  it("accepts the body as it is", () => {
    expect(validate(body)).toBeUndefined()
  })

  it.each([[null], [undefined], [0], [""], ["text"], [true], [[]], [[null]], [{}]])(
    "has an answer with %o in the place of anything",
    (other) => {
      for (const variant of variants(body, other)) {
        const problem = validate(variant)
        expect(problem === undefined || problem.length > 0).toBe(true)
      }
    },
  )
})
