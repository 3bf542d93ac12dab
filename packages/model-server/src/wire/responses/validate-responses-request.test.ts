import { describe, expect, it } from "vitest"
import { responsesBody } from "../../../test/openai-client.ts"
import { signatureOf } from "../signature.ts"
import { validateResponsesRequest } from "./validate-responses-request.ts"

const user = { role: "user", content: "Hello" }
const message = (role: string, ...content: unknown[]) => ({ role, content })
const call = (call_id: unknown, more: object = {}) => ({
  type: "function_call",
  call_id,
  name: "read",
  arguments: "{}",
  ...more,
})
const output = (call_id: unknown, value: unknown = "ok") => ({ type: "function_call_output", call_id, output: value })
const reasoning = (more: object = {}) => ({
  type: "reasoning",
  id: "rs_1_0",
  summary: [{ type: "summary_text", text: "Hm" }],
  encrypted_content: signatureOf("Hm"),
  ...more,
})
const answer = { role: "assistant", content: [{ type: "output_text", text: "Hi" }] }
const tool = (more: object = {}) => ({ type: "function", name: "read", parameters: { type: "object" }, ...more })
const input = (...items: unknown[]) => responsesBody({ input: items })
const set = (changes: object) => responsesBody(changes)
const text = (value: unknown) => ({ type: "input_text", text: value })

describe("validateResponsesRequest", () => {
  it.each<[string, unknown]>([
    ["text as input", responsesBody()],
    [
      "messages of all roles",
      input({ role: "system", content: "a" }, { role: "developer", content: "b" }, user, answer, user),
    ],
    [
      "parts",
      input(
        message(
          "user",
          text("Hi"),
          { type: "input_image", image_url: "data:image/png;base64,AA" },
          { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AA" },
        ),
      ),
    ],
    ["calls with outputs in any order", input(user, call("a"), call("b"), output("b"), output("a"))],
    ["arguments that are no JSON", input(user, call("a", { arguments: "{oops" }), output("a"))],
    ["an output of parts", input(user, call("a"), output("a", [text("Hi")]))],
    [
      "reasoning with its call",
      set({ store: false, input: [user, reasoning(), call("a", { id: "fc_1_1_rs_1_0" }), output("a")] }),
    ],
    ["reasoning without an id", set({ store: false, input: [user, reasoning({ id: undefined }), answer] })],
    [
      "references to stored items",
      input(user, { type: "item_reference", id: "rs_1_0" }, { type: "item_reference", id: "fc_1_1" }, output("a")),
    ],
    ["an output behind a stored response", set({ previous_response_id: "resp_1", input: [output("a")] })],
    ["items of the API's own tools", input(user, { type: "web_search_call", id: "ws_1" }, answer)],
    ["tools of the API's own", set({ tools: [{ type: "web_search" }] })],
    [
      "a strict tool",
      set({
        tools: [
          tool({
            strict: true,
            parameters: {
              type: "object",
              properties: { a: { type: "string" } },
              required: ["a"],
              additionalProperties: false,
            },
          }),
        ],
      }),
    ],
    ["tool_choice with a name", set({ tools: [tool()], tool_choice: { type: "function", name: "read" } })],
    ["a JSON Schema for the text", set({ text: { format: { type: "json_schema", name: "a", schema: {} } } })],
    [
      "settings",
      set({
        temperature: 2,
        max_output_tokens: 16,
        reasoning: { effort: "low", summary: "auto" },
        include: ["reasoning.encrypted_content"],
      }),
    ],
  ])("accepts %s", (_name, body) => {
    expect(validateResponsesRequest(body)).toBeUndefined()
  })

  it.each<[string, unknown, RegExp]>([
    ["a body that is no object", null, /JSON object/],
    ["a missing model", set({ model: "" }), /^model:/],
    ["a key of Chat Completions", set({ messages: [user] }), /^messages: this key is not known/],
    ["max_tokens", set({ max_tokens: 5 }), /^max_tokens: this key/],
    ["few output tokens", set({ max_output_tokens: 15 }), /^max_output_tokens: .*16/],
    ["missing input", set({ input: undefined }), /^input:/],
    ["no items", input(), /at least one item/],
    ["an item that is no object", input("Hi"), /^input\[0\]: must be an object/],
    ["an unknown item", input({ type: "tool_result" }), /^input\[0\]\.type: "tool_result"/],
    ["an unknown role", input({ role: "tool", content: "x" }), /^input\[0\]\.role: "tool"/],
    [
      "input text of the assistant",
      input(message("assistant", text("Hi"))),
      /"input_text" is not one of output_text, refusal/,
    ],
    [
      "output text of the user",
      input(message("user", { type: "output_text", text: "Hi" })),
      /content\[0\]\.type: "output_text"/,
    ],
    [
      "an image without a URL",
      input(message("user", { type: "input_image", image_url: { url: "x" } })),
      /\.image_url:/,
    ],
    ["a file as bare base64", input(message("user", { type: "input_file", file_data: "AAAA" })), /data: URL/],
    ["a call without output", input(user, call("a")), /^input\[1\]: No tool output found for function call a/],
    [
      "an output without call",
      input(user, output("a")),
      /^input\[1\]: No tool call found for function call output with call_id a/,
    ],
    ["an output before its call", input(user, output("a"), call("a")), /^input\[1\]: No tool call found/],
    ["a call that stands twice", input(user, call("a"), call("a"), output("a")), /^input\[2\]: Duplicate item/],
    ["two outputs of a call", input(user, call("a"), output("a"), output("a")), /has an output already/],
    ["an output that is an object", input(user, call("a"), output("a", {})), /\.output: must be a string/],
    ["arguments as an object", input(user, call("a", { arguments: {} }), output("a")), /\.arguments: must be a string/],
    ["a long call id", input(user, call("x".repeat(65)), output("x".repeat(65))), /call_id: .*64/],
    [
      "the call id as the item's id",
      input(user, call("a", { id: "call_1" }), output("a")),
      /\.id: "call_1" does not begin with "fc_"/,
    ],
    [
      "reasoning without its content",
      set({ store: false, input: [user, reasoning({ encrypted_content: null }), answer] }),
      /not found\. Items are not persisted/,
    ],
    [
      "reasoning without a summary",
      input(user, reasoning({ summary: undefined }), answer),
      /\.summary: must be an array/,
    ],
    [
      "changed reasoning",
      input(user, reasoning({ encrypted_content: signatureOf("Hmm") }), answer),
      /could not be verified/,
    ],
    [
      "reasoning with nothing behind it",
      input(user, reasoning(), user),
      /of type "reasoning" was provided without its required following/,
    ],
    ["reasoning at the end", input(user, reasoning()), /required following/],
    [
      "a call that lost its reasoning",
      input(user, call("a", { id: "fc_1_1_rs_1_0" }), output("a")),
      /without its required "reasoning" item: rs_1_0/,
    ],
    [
      "a reference to what is not stored",
      set({ store: false, input: [user, { type: "item_reference", id: "rs_1_0" }] }),
      /not persisted/,
    ],
    [
      "a tool of Chat Completions",
      set({ tools: [{ type: "function", function: { name: "read" } }] }),
      /^tools\[0\]\.name: this key is required/,
    ],
    ["a name given twice", set({ tools: [tool(), tool()] }), /^tools\[1\]\.name/],
    [
      "a schema that is no object",
      set({ tools: [tool({ parameters: { type: "array" } })] }),
      /parameters: must be a JSON Schema/,
    ],
    ["an open object in strict mode", set({ tools: [tool({ strict: true })] }), /"additionalProperties" is required/],
    [
      "an optional property in strict mode",
      set({
        tools: [
          tool({ strict: true, parameters: { type: "object", properties: { a: {} }, additionalProperties: false } }),
        ],
      }),
      /"a" is missing/,
    ],
    [
      "an open object inside, in strict mode",
      set({
        tools: [
          tool({
            strict: true,
            parameters: {
              type: "object",
              properties: { a: { type: "array", items: { type: "object" } } },
              required: ["a"],
              additionalProperties: false,
            },
          }),
        ],
      }),
      /parameters\.properties\.a\.items/,
    ],
    [
      "tool_choice of Chat Completions",
      set({ tools: [tool()], tool_choice: { type: "function", function: { name: "read" } } }),
      /there is no function nothing/,
    ],
    ["tool_choice required without tools", set({ tool_choice: "required" }), /needs tools/],
    ["an unknown effort", set({ reasoning: { effort: "huge" } }), /^reasoning\.effort/],
    ["a JSON Schema without a name", set({ text: { format: { type: "json_schema", schema: {} } } }), /needs a name/],
    [
      "usage options of Chat Completions",
      set({ stream_options: { include_usage: true } }),
      /^stream_options\.include_usage/,
    ],
    ["stream options without a stream", set({ stream: false, stream_options: {} }), /only together with stream/],
    ["half a surrogate pair", set({ input: "\ud83d" }), /half of a surrogate pair/],
  ])("refuses %s", (_name, body, problem) => {
    expect(validateResponsesRequest(body)).toMatch(problem)
  })
})
