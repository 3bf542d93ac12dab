import { describe, expect, it } from "vitest"
import { validateChatRequest } from "./validate-chat-request.ts"

const user = { role: "user", content: "Hello" }
const calls = (...ids: string[]) => ({ role: "assistant", content: null, tool_calls: ids.map((id) => toolCall(id)) })
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "" })
const tool = (name: unknown, parameters?: object) => ({ type: "function", function: { name, parameters } })

function toolCall(id: unknown, input: unknown = "{}", name: unknown = "read") {
  return { id, type: "function", function: { name, arguments: input } }
}

const messages = (...list: unknown[]) => ({ model: "m", messages: list })
const withTools = (tools: unknown, more: object = {}) => ({ model: "m", messages: [user], tools, ...more })
const parts = (...content: unknown[]) => messages({ role: "user", content })
const image = (image_url: unknown) => parts({ type: "image_url", image_url })
const set = (settings: object) => ({ ...messages(user), ...settings })
const choose = (choice: unknown) => withTools([tool("read")], { tool_choice: choice })

describe("validateChatRequest", () => {
  it.each<[string, unknown]>([
    ["one user message", messages(user)],
    [
      "system and developer messages",
      messages({ role: "system", content: "Be brief" }, { role: "developer", content: "x" }, user),
    ],
    [
      "content parts",
      messages({
        role: "user",
        content: [
          { type: "text", text: "Hi" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } },
          { type: "image_url", image_url: { url: "https://127.0.0.1/a.png" } },
          { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
          { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" } },
        ],
      }),
    ],
    ["calls answered in any order", messages(user, calls("a", "b"), result("b"), result("a"), user)],
    ["the same id in two messages", messages(user, calls("a"), result("a"), calls("a"), result("a"))],
    ["text beside tool calls", messages(user, { ...calls("a"), content: "Looking" }, result("a"))],
    ["tool calls without content", messages(user, { role: "assistant", tool_calls: [toolCall("a")] }, result("a"))],
    [
      "two assistant messages in a row",
      messages(user, { role: "assistant", content: "a" }, { role: "assistant", content: "b" }),
    ],
    ["a name of 64 characters", withTools([tool("a".repeat(64), { type: "object" }), tool("b_-9")])],
    ["tool_choice auto", choose("auto")],
    ["tool_choice with a name", choose({ type: "function", function: { name: "read" } })],
    ["usage in a stream", { ...messages(user), stream: true, stream_options: { include_usage: true } }],
    ["unknown settings", set({ think: true, min_p: "any", stream_options: null })],
    [
      "settings at their limits",
      set({
        temperature: 2,
        top_p: 0,
        presence_penalty: -2,
        max_tokens: 1,
        n: 128,
        seed: -1,
        stop: ["a", "b", "c", "d"],
      }),
    ],
    ["settings of null", set({ temperature: null, max_tokens: null, stop: null, n: null, parallel_tool_calls: null })],
    ["parallel_tool_calls with tools", withTools([tool("read")], { parallel_tool_calls: false })],
    ["128 tools", withTools(Array.from({ length: 128 }, (_, index) => tool(`t${index}`)))],
    ["an id of 40 characters", messages(user, calls("x".repeat(40)), result("x".repeat(40)))],
    ["whole surrogate pairs", messages({ role: "user", content: "\u{1F600}" })],
  ])("accepts %s", (_name, body) => {
    expect(validateChatRequest(body)).toBeUndefined()
  })

  it.each<[string, unknown, RegExp]>([
    ["a body that is no object", [], /JSON object/],
    ["a missing model", { messages: [user] }, /^model:/],
    ["an empty model", { model: "", messages: [user] }, /^model:/],
    ["missing messages", { model: "m" }, /^messages:/],
    ["empty messages", messages(), /^messages:/],
    ["a message that is no object", messages("Hello"), /^messages\[0\]: must be an object/],
    ["an unknown role", messages(user, { role: "robot", content: "x" }), /^messages\[1\]\.role: "robot"/],
    ["a missing role", messages({ content: "x" }), /^messages\[0\]\.role: nothing/],
    ["empty user text", messages({ role: "user", content: "" }), /^messages\[0\]\.content:.*empty/],
    ["no user parts", messages({ role: "user", content: [] }), /^messages\[0\]\.content:.*empty/],
    ["missing user content", messages({ role: "user" }), /^messages\[0\]\.content:.*empty/],
    ["content of a wrong type", messages({ role: "system", content: 5 }), /^messages\[0\]\.content: must be/],
    ["an unknown part", messages({ role: "user", content: [{ type: "sound" }] }), /content\[0\]\.type: "sound"/],
    ["an image from the system", messages({ role: "system", content: [{ type: "image_url" }] }), /not one of text/],
    ["a text part without text", messages({ role: "user", content: [{ type: "text" }] }), /content\[0\]\.text/],
    ["a part that is no object", messages({ role: "user", content: ["Hi"] }), /content\[0\]: must be an object/],
    ["a silent assistant", messages(user, { role: "assistant" }), /messages\[1\]: .*content or tool_calls/],
    ["an assistant with empty text", messages(user, { role: "assistant", content: "" }), /content or tool_calls/],
    [
      "an empty list of calls",
      messages(user, { role: "assistant", content: "x", tool_calls: [] }),
      /at least one call/,
    ],
    ["calls of a user", messages({ ...user, tool_calls: [toolCall("a")] }), /only assistant messages/],
    [
      "a call without a result at the end",
      messages(user, calls("a")),
      /^messages\[1\]: .*no result for a before the end/,
    ],
    [
      "a call without a result before the user speaks",
      messages(user, calls("a"), user),
      /no result for a before messages\[2\]/,
    ],
    ["a result too late", messages(user, calls("a"), user, result("a")), /no result for a before messages\[2\]/],
    ["one of two results missing", messages(user, calls("a", "b"), result("a"), user), /no result for b before/],
    ["calls after calls", messages(user, calls("a"), calls("b"), result("b")), /no result for a before messages\[2\]/],
    ["a result without a call", messages(user, result("a")), /^messages\[1\]: a tool message must follow/],
    [
      "a result for calls further up",
      messages(user, calls("a"), result("a"), user, result("a")),
      /^messages\[4\]: a tool message must follow/,
    ],
    ["a result for another call", messages(user, calls("a"), result("b")), /messages\[1\] has no tool call "b"/],
    [
      "two results for a call",
      messages(user, calls("a"), result("a"), result("a")),
      /^messages\[3\].*"a" has a result already/,
    ],
    ["a result without an id", messages(user, calls("a"), { role: "tool", content: "x" }), /tool_call_id/],
    [
      "a result without content",
      messages(user, calls("a"), { role: "tool", tool_call_id: "a" }),
      /^messages\[2\]\.content/,
    ],
    ["two calls with one id", messages(user, calls("a", "a"), result("a")), /tool_calls\[1\]\.id: "a"/],
    ["a call without an id", messages({ role: "assistant", tool_calls: [toolCall("")] }), /tool_calls\[0\]\.id/],
    [
      "a call of another type",
      messages({ role: "assistant", tool_calls: [{ id: "a", type: "x" }] }),
      /tool_calls\[0\]: must be/,
    ],
    ["a call with a bad name", messages({ role: "assistant", tool_calls: [toolCall("a", "{}", "a b")] }), /"a b"/],
    [
      "broken arguments",
      messages({ role: "assistant", tool_calls: [toolCall("a", '{"x')] }),
      /arguments: .*valid JSON/,
    ],
    ["empty arguments", messages({ role: "assistant", tool_calls: [toolCall("a", "")] }), /arguments: .*valid JSON/],
    [
      "arguments as an object",
      messages({ role: "assistant", tool_calls: [toolCall("a", {})] }),
      /arguments: .*valid JSON/,
    ],
    ["an empty list of tools", withTools([]), /^tools: /],
    ["a tool that is no function", withTools([{ type: "search" }]), /^tools\[0\]\.type/],
    ["a tool without a function", withTools([{ type: "function" }]), /^tools\[0\]\.function/],
    ["a tool without a name", withTools([tool(undefined)]), /^tools\[0\]\.function\.name: nothing/],
    ["a name with a dot", withTools([tool("fs.read")]), /"fs\.read" does not match/],
    ["a name of 65 characters", withTools([tool("a".repeat(65))]), /does not match/],
    ["an empty name", withTools([tool("")]), /does not match/],
    ["two tools of one name", withTools([tool("a"), tool("b"), tool("a")]), /^tools\[2\]\.function\.name: "a"/],
    ["parameters that are no object schema", withTools([tool("a", { type: "string" })]), /parameters/],
    ["an unknown tool_choice", choose("always"), /^tool_choice: "always"/],
    ["a tool_choice of an unknown tool", choose({ type: "function", function: { name: "x" } }), /no tool "x"/],
    ["a tool_choice without tools", { ...messages(user), tool_choice: "auto" }, /only together with tools/],
    ["129 tools", withTools(Array.from({ length: 129 }, (_, index) => tool(`t${index}`))), /^tools: 129 .* 128/],
    [
      "a description that is no text",
      withTools([{ type: "function", function: { name: "a", description: 5 } }]),
      /^tools\[0\]\.function\.description: must be a string, got 5/,
    ],
    ["an id of 41 characters", messages(user, calls("x".repeat(41))), /tool_calls\[0\]\.id: .* 1 to 40/],
    ["an empty text part", parts({ type: "text", text: "" }), /content\[0\]\.text: .*not empty/],
    [
      "an image without its object",
      parts({ type: "image_url" }),
      /\.image_url: must be an object, \{url\}, got nothing/,
    ],
    ["an image as a string", image("https://127.0.0.1/a.png"), /\.image_url: must be an object/],
    ["an image without a URL", image({}), /\.image_url\.url: nothing begins with none/],
    ["an image of a path", image({ url: "a.png" }), /\.image_url\.url: "a\.png" begins with none/],
    ["an unknown detail", image({ url: "data:x", detail: "huge" }), /\.image_url\.detail: "huge"/],
    ["audio without a format", parts({ type: "input_audio", input_audio: { data: "AAAA" } }), /\.input_audio: must be/],
    ["a file without content", parts({ type: "file", file: { filename: "a" } }), /\.file: must be/],
    [
      "an empty refusal",
      messages(user, { role: "assistant", content: [{ type: "refusal" }] }),
      /content\[0\]\.refusal: must be a string/,
    ],
    ["temperature as text", set({ temperature: "0.2" }), /^temperature: must be a number from 0 to 2, got "0\.2"/],
    ["a temperature over 2", set({ temperature: 2.1 }), /^temperature:/],
    ["a negative temperature", set({ temperature: -0.1 }), /^temperature:/],
    ["a top_p over 1", set({ top_p: 1.5 }), /^top_p:/],
    ["a penalty over 2", set({ frequency_penalty: 3 }), /^frequency_penalty:/],
    ["max_tokens of 0", set({ max_tokens: 0 }), /^max_tokens: must be a whole number of 1 or more, got 0/],
    ["max_tokens with a fraction", set({ max_tokens: 1.5 }), /^max_tokens:/],
    ["max_completion_tokens as text", set({ max_completion_tokens: "9" }), /^max_completion_tokens:/],
    ["n of 0", set({ n: 0 }), /^n:/],
    ["a seed with a fraction", set({ seed: 0.5 }), /^seed:/],
    ["a stop that is no text", set({ stop: 5 }), /^stop:/],
    ["five stops", set({ stop: ["a", "b", "c", "d", "e"] }), /^stop: .* 1 to 4 strings/],
    ["no stops", set({ stop: [] }), /^stop:/],
    ["logprobs as a number", set({ logprobs: 1 }), /^logprobs: must be a boolean/],
    ["21 top_logprobs", set({ top_logprobs: 21 }), /^top_logprobs:/],
    [
      "parallel_tool_calls without tools",
      set({ parallel_tool_calls: true }),
      /^parallel_tool_calls: .*together with tools/,
    ],
    ["parallel_tool_calls as text", set({ parallel_tool_calls: "yes" }), /^parallel_tool_calls: must be a boolean/],
    ["half of a surrogate pair", messages({ role: "user", content: "\ud83d" }), /^messages\[0\]\.content: .*surrogate/],
    [
      "half of a surrogate pair in a part",
      parts({ type: "text", text: "a\ude00b" }),
      /^messages\[0\]\.content\[0\]\.text: .*surrogate/,
    ],
    [
      "half of a surrogate pair in arguments",
      messages(
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          tool_calls: [{ id: "a", type: "function", function: { name: "read", arguments: '{"a":["\\ud83d"]}' } }],
        },
        { role: "tool", tool_call_id: "a", content: "ok" },
      ),
      /^messages\[1\]\.tool_calls\[0\]\.function\.arguments\.a\[0\]: .*surrogate/,
    ],
    ["half of a surrogate pair in a key", set({ metadata: { "\ud83d": "a" } }), /^metadata: a key .*surrogate/],
    [
      "include_usage as text",
      set({ stream: true, stream_options: { include_usage: "yes" } }),
      /^stream_options\.include_usage: /,
    ],
    ["stream as text", { ...messages(user), stream: "yes" }, /^stream:/],
    ["stream_options without stream", { ...messages(user), stream_options: {} }, /^stream_options:/],
  ])("refuses %s", (_name, body, problem) => {
    expect(validateChatRequest(body)).toMatch(problem)
  })
})
