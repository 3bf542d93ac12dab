import { expect, it } from "vitest"
import { messagesBody, postMessages } from "../../../test/anthropic-client.ts"
import { readEvents } from "../../../test/event-stream.ts"
import { call, modelServer, reasoning, reply, streamError, text, usage } from "../../index.ts"
import { signatureOf } from "../signature.ts"

it("names each event after its type, and closes a block before it opens the next one", async () => {
  const said = reply(reasoning(["H", "m"]), text(["a"]), text("b"), call("read", ["{", "}"]))
  await using server = await modelServer({ replies: [said] })

  const events = await readEvents(await postMessages(server))

  expect(events.every(({ name, data }) => name === data.type)).toBe(true)
  const blocks = events.slice(1, -2).map(({ data }) => [data.type, data.index, data.content_block ?? data.delta])
  expect(blocks).toEqual([
    ["content_block_start", 0, { type: "thinking", thinking: "", signature: "" }],
    ["ping", undefined, undefined],
    ["content_block_delta", 0, { type: "thinking_delta", thinking: "H" }],
    ["content_block_delta", 0, { type: "thinking_delta", thinking: "m" }],
    ["content_block_delta", 0, { type: "signature_delta", signature: signatureOf("Hm") }],
    ["content_block_stop", 0, undefined],
    ["content_block_start", 1, { type: "text", text: "" }],
    ["content_block_delta", 1, { type: "text_delta", text: "a" }],
    ["content_block_delta", 1, { type: "text_delta", text: "b" }],
    ["content_block_stop", 1, undefined],
    ["content_block_start", 2, { type: "tool_use", id: "call_1", name: "read", input: {} }],
    ["content_block_delta", 2, { type: "input_json_delta", partial_json: "" }],
    ["content_block_delta", 2, { type: "input_json_delta", partial_json: "{" }],
    ["content_block_delta", 2, { type: "input_json_delta", partial_json: "}" }],
    ["content_block_stop", 2, undefined],
  ])
})

it("tells the input at the beginning and everything at the end, without overlap", async () => {
  const counts = { inputTokens: 100, cachedTokens: 60, cacheWriteTokens: 10, outputTokens: 20, reasoningTokens: 5 }
  await using server = await modelServer({ replies: [reply(text("Hi"), usage(counts))] })

  const events = await readEvents(await postMessages(server))

  const input = { input_tokens: 30, cache_read_input_tokens: 60, cache_creation_input_tokens: 10 }
  expect(events[0]?.data).toMatchObject({
    type: "message_start",
    message: { id: "msg_1", role: "assistant", content: [], stop_reason: null, usage: { ...input, output_tokens: 1 } },
  })
  expect(events.slice(-2).map(({ data }) => data)).toMatchObject([
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { ...input, output_tokens: 20, output_tokens_details: { thinking_tokens: 5 } },
    },
    { type: "message_stop" },
  ])
})

it("signs reasoning of several signatures in blocks of their own", async () => {
  const said = reply(reasoning("a", { signature: "1" }), reasoning("b", { signature: "1" }), reasoning("c"), text("d"))
  await using server = await modelServer({ replies: [said], repeat: true })

  const events = await readEvents(await postMessages(server))
  const whole = await (await postMessages(server, messagesBody({ stream: false }))).json()

  const signatures = events.flatMap(({ data }) => (data.delta as { signature?: string } | undefined)?.signature ?? [])
  expect(signatures).toEqual(["1", signatureOf("c")])
  expect(whole).toMatchObject({
    content: [
      { type: "thinking", thinking: "ab", signature: "1" },
      { type: "thinking", thinking: "c", signature: signatureOf("c") },
      { type: "text", text: "d" },
    ],
  })
})

it("reports an error as an event of its own, by its kind or the script's word", async () => {
  await using server = await modelServer({
    replies: [reply(streamError("No", { kind: "overloaded" })), reply(streamError("No", { code: "odd_error" }))],
  })

  const first = await readEvents(await postMessages(server))
  const second = await readEvents(await postMessages(server))

  const error = (type: string) => ({ name: "error", data: { type: "error", error: { type, message: "No" } } })
  expect(first.at(-1)).toEqual(error("overloaded_error"))
  expect(second.at(-1)).toEqual(error("odd_error"))
})
