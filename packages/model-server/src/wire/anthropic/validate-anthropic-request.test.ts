import { describe, expect, it } from "vitest"
import { messagesBody, postMessages } from "../../../test/anthropic-client.ts"
import { modelServer } from "../../index.ts"
import { signatureOf } from "../signature.ts"
import { validateAnthropicRequest } from "./validate-anthropic-request.ts"

const user = (content: unknown = "Hello") => ({ role: "user", content })
const assistant = (...content: unknown[]) => ({ role: "assistant", content })
const words = (text: unknown, more: object = {}) => ({ type: "text", text, ...more })
const use = (id: unknown, more: object = {}) => ({ type: "tool_use", id, name: "read", input: {}, ...more })
const result = (id: unknown, more: object = {}) => ({ type: "tool_result", tool_use_id: id, content: "ok", ...more })
const thinking = (text = "Hm", signature: unknown = signatureOf(text)) => ({
  type: "thinking",
  thinking: text,
  signature,
})
const image = (source: unknown) => ({ type: "image", source })
const base64 = (media_type: string, data: unknown = "AAAA") => ({ type: "base64", media_type, data })
const cached = { cache_control: { type: "ephemeral" } }
const lasting = { cache_control: { type: "ephemeral", ttl: "1h" } }
const tool = (name: unknown = "read", schema: unknown = { type: "object" }, more: object = {}) => ({
  name,
  input_schema: schema,
  ...more,
})

const messages = (...list: unknown[]) => messagesBody({ messages: list })
const parts = (...content: unknown[]) => messages(user(content))
const set = (changes: object) => messagesBody(changes)
const choose = (choice: unknown) => set({ tools: [tool()], tool_choice: choice })
const enabled = { thinking: { type: "enabled", budget_tokens: 1024 }, max_tokens: 2048 }
const inLoop = (...answer: unknown[]) => [user(), assistant(...answer), user([result("a")])]

describe("validateAnthropicRequest", () => {
  it.each<[string, unknown]>([
    ["one user message", messagesBody()],
    ["a conversation", messages(user(), assistant(words("Hi")), user())],
    ["a system prompt of text", set({ system: "Be brief" })],
    ["a system prompt of blocks", set({ system: [words("Be brief", cached)] })],
    ["messages of one role in a row", messages(user(), user(), assistant(words("a")), assistant(words("b")), user())],
    [
      "calls with results in any order",
      messages(user(), assistant(use("a"), use("b")), user([result("b"), result("a")])),
    ],
    ["text behind results", messages(user(), assistant(use("a")), user([result("a"), words("Go on")]))],
    [
      "results in two messages of one turn",
      messages(user(), assistant(use("a"), use("b")), user([result("a")]), user([result("b")])),
    ],
    [
      "a result without content",
      messages(user(), assistant(use("a")), user([{ type: "tool_result", tool_use_id: "a" }])),
    ],
    ["a failed result", messages(user(), assistant(use("a")), user([result("a", { is_error: true })]))],
    [
      "an image in a result",
      messages(user(), assistant(use("a")), user([result("a", { content: [image(base64("image/png"))] })])),
    ],
    ["images", parts(image(base64("image/webp")), image({ type: "url", url: "https://127.0.0.1/a.png" }))],
    ["documents", parts({ type: "document", source: base64("application/pdf") }, words("Read"))],
    ["an opening of the answer", messages(user(), assistant(words("I")))],
    ["tools of the API's own", set({ tools: [{ type: "web_search_20250305", name: "web_search" }] })],
    [
      "blocks of tools of the API's own",
      messages(user(), assistant({ type: "server_tool_use", id: "s" }, words("a")), user()),
    ],
    ["tool_choice auto", choose({ type: "auto", disable_parallel_tool_use: true })],
    ["tool_choice with a name", choose({ type: "tool", name: "read" })],
    [
      "four breakpoints",
      set({
        system: [words("a", cached), words("b", cached)],
        tools: [tool("a", undefined, cached), tool("b", undefined, cached)],
      }),
    ],
    [
      "long breakpoints before short ones",
      set({ system: [words("a", lasting)], messages: [user([words("b", cached)])] }),
    ],
    ["thinking that comes back", { ...messages(...inLoop(thinking(), use("a"))), ...enabled }],
    ["redacted thinking", { ...messages(...inLoop({ type: "redacted_thinking", data: "x" }, use("a"))), ...enabled }],
    ["a signature of the script", { ...messages(...inLoop(thinking("Hm", "mine"), use("a"))), ...enabled }],
    ["an earlier turn without thinking", { ...messages(user(), assistant(words("a")), user()), ...enabled }],
    ["adaptive thinking without its block", { ...messages(...inLoop(use("a"))), thinking: { type: "adaptive" } }],
    ["settings at their limits", set({ temperature: 1, top_p: 0, top_k: 0, stop_sequences: ["END"], max_tokens: 1 })],
    ["a name of 128 characters", set({ tools: [tool("a".repeat(128))] })],
  ])("accepts %s", (_name, body) => {
    expect(validateAnthropicRequest(body)).toBeUndefined()
  })

  it.each<[string, unknown, RegExp]>([
    ["a body that is no object", [], /JSON object/],
    ["a missing model", set({ model: undefined }), /^model:/],
    ["missing max_tokens", set({ max_tokens: undefined }), /^max_tokens: .*required/],
    ["max_tokens of 0", set({ max_tokens: 0 }), /^max_tokens: must be a whole number of 1 or more/],
    ["a key of another API", set({ frequency_penalty: 1 }), /^frequency_penalty: this key is not known/],
    ["no messages", messages(), /^messages: at least one/],
    [
      "a system message",
      messages({ role: "system", content: "x" }, user()),
      /^messages\[0\]\.role: "system".*top-level/,
    ],
    ["an assistant first", messages(assistant(words("a")), user()), /first message must use the "user" role/],
    ["a key in a message", messages({ ...user(), ...cached }), /^messages\[0\]\.cache_control: this key/],
    ["empty text", messages(user("")), /^messages\[0\]\.content: .*non-empty/],
    ["blank text", messages(user(" \n")), /non-whitespace/],
    ["no blocks", parts(), /non-empty content/],
    ["an empty text block", parts(words("")), /^messages\[0\]\.content\[0\]\.text: .*non-empty/],
    ["a blank text block", parts(words(" ")), /non-whitespace/],
    ["a key in a block", parts(words("a", { index: 0 })), /^messages\[0\]\.content\[0\]\.index: this key/],
    ["a block of the other role", parts(use("a")), /content\[0\]\.type: "tool_use" is not one of text, image/],
    ["an image of an unknown type", parts(image(base64("image/tiff"))), /source\.media_type: "image\/tiff"/],
    ["an image that is no base64", parts(image(base64("image/png", "a b"))), /source\.data: must be base64/],
    ["an image as a data: URL", parts(image({ type: "url", url: "data:image/png;base64,AAAA" })), /source\.url/],
    ["a document that is an image", parts({ type: "document", source: base64("image/png") }), /application\/pdf/],
    ["trailing space in an opening", messages(user(), assistant(words("I "))), /trailing whitespace/],
    [
      "a call without a result",
      messages(user(), assistant(use("a")), user()),
      /^messages\[1\]: .*without "tool_result" blocks immediately after: a/,
    ],
    ["a call at the end", messages(user(), assistant(use("a"))), /immediately after: a/],
    ["one result of two", messages(user(), assistant(use("a"), use("b")), user([result("a")])), /after: b/],
    ["a result without its call", messages(user([result("a")])), /unexpected "tool_use_id"/],
    [
      "a result too late",
      messages(user(), assistant(use("a")), user([result("a")]), assistant(words("x")), user([result("a")])),
      /^messages\[4\]: unexpected/,
    ],
    [
      "two results of one call",
      messages(user(), assistant(use("a")), user([result("a"), result("a")])),
      /single result/,
    ],
    ["a result behind text", messages(user(), assistant(use("a")), user([words("x"), result("a")])), /must come first/],
    ["an id used twice", messages(user(), assistant(use("a"), use("a")), user([result("a")])), /ids must be unique/],
    ["an id with other characters", messages(user(), assistant(use("a:1")), user([result("a:1")])), /\.id: "a:1"/],
    [
      "input as text",
      messages(user(), assistant(use("a", { input: "{}" })), user([result("a")])),
      /\.input: must be an object/,
    ],
    [
      "an empty failure",
      messages(user(), assistant(use("a")), user([result("a", { is_error: true, content: "" })])),
      /cannot be empty if "is_error"/,
    ],
    [
      "an image in a failure",
      messages(
        user(),
        assistant(use("a")),
        user([result("a", { is_error: true, content: [image(base64("image/png"))] })]),
      ),
      /not one of text/,
    ],
    ["a thinking block without signature", messages(...inLoop(thinking("Hm", ""), use("a"))), /\.signature:/],
    ["changed thinking", messages(...inLoop(thinking("Hm", signatureOf("Hmm")), use("a"))), /Invalid "signature"/],
    ["cached thinking", messages(...inLoop({ ...thinking(), ...cached }, use("a"))), /cache_control: this key/],
    [
      "thinking behind text",
      messages(...inLoop(words("a"), thinking(), use("a"))),
      /must begin with one, found "text"/,
    ],
    ["thinking at the end", messages(user(), assistant(thinking()), user()), /cannot be thinking/],
    [
      "lost thinking",
      { ...messages(...inLoop(use("a"))), ...enabled },
      /^messages\[1\]\.content\[0\]\.type: Expected "thinking"/,
    ],
    ["a small budget", set({ thinking: { type: "enabled", budget_tokens: 1000 } }), /budget_tokens: .*1024/],
    ["a budget over max_tokens", set({ ...enabled, max_tokens: 1024 }), /max_tokens: must be greater/],
    ["temperature with thinking", set({ ...enabled, temperature: 0.5 }), /temperature: may only be set to 1/],
    ["top_k with thinking", set({ ...enabled, top_k: 5 }), /top_k:/],
    [
      "a forced call with thinking",
      set({ ...enabled, tools: [tool()], tool_choice: { type: "any" } }),
      /forces tool use/,
    ],
    ["an unknown kind of thinking", set({ thinking: { type: "deep" } }), /thinking\.type: "deep"/],
    [
      "five breakpoints",
      set({ system: Array.from({ length: 5 }, () => words("a", cached)) }),
      /maximum of 4 .*Found 5/,
    ],
    [
      "a short breakpoint before a long one",
      set({ system: [words("a", cached), words("b", lasting)] }),
      /"1h" block must not come after/,
    ],
    [
      "a breakpoint of an unknown kind",
      parts(words("a", { cache_control: { type: "eternal" } })),
      /cache_control: must be/,
    ],
    ["a name with spaces", set({ tools: [tool("read it")] }), /^tools\[0\]\.name/],
    ["a name given twice", set({ tools: [tool(), tool()] }), /^tools\[1\]\.name: .*unique/],
    ["a tool of Chat Completions", set({ tools: [{ type: "custom", function: {} }] }), /^tools\[0\]\.name/],
    [
      "a schema that is no object",
      set({ tools: [tool("a", { type: "string" })] }),
      /input_schema: must be a JSON Schema/,
    ],
    [
      "a choice at the top of a schema",
      set({ tools: [tool("a", { type: "object", anyOf: [] })] }),
      /"anyOf" at the top level/,
    ],
    ["an odd property", set({ tools: [tool("a", { type: "object", properties: { "a b": {} } })] }), /the key "a b"/],
    ["tool_choice without tools", set({ tool_choice: { type: "auto" } }), /together with tools/],
    ["tool_choice as text", choose("auto"), /^tool_choice: must be an object/],
    ["tool_choice of an unknown tool", choose({ type: "tool", name: "write" }), /there is no tool "write"/],
    ["temperature over 1", set({ temperature: 1.5 }), /^temperature: must be a number from 0 to 1/],
    ["a blank stop sequence", set({ stop_sequences: [" "] }), /^stop_sequences:/],
    ["an empty system block", set({ system: [words("")] }), /^system\[0\]\.text/],
    ["half a surrogate pair", messages(user("\ud83d")), /half of a surrogate pair/],
  ])("refuses %s", (_name, body, problem) => {
    expect(validateAnthropicRequest(body)).toMatch(problem)
  })

  it("needs the version of the API in a header", async () => {
    await using server = await modelServer({ replies: [] })

    const missing = await postMessages(server, messagesBody(), { headers: {} })
    const unknown = await postMessages(server, messagesBody(), { headers: { "anthropic-version": "2020-01-01" } })

    expect(await missing.json()).toEqual({
      type: "error",
      error: { type: "invalid_request_error", message: "anthropic-version: header is required" },
    })
    expect(unknown.status).toBe(400)
  })
})
