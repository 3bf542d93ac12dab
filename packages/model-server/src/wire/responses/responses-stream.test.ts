import { expect, it } from "vitest"
import { readEvents } from "../../../test/event-stream.ts"
import { postResponses, responsesBody } from "../../../test/openai-client.ts"
import { call, deltas, finish, modelServer, reasoning, reply, streamError, text, usage } from "../../index.ts"
import { signatureOf } from "../signature.ts"

const encrypted = responsesBody({ store: false, include: ["reasoning.encrypted_content"] })

it("numbers all events, and opens and closes each item", async () => {
  const said = reply(reasoning("Hm"), text(["a", "b"]), call("read", ["{", "}"]))
  await using server = await modelServer({ replies: [said] })

  const events = await readEvents(await postResponses(server))

  expect(events.map(({ data }) => data.sequence_number)).toEqual(events.map((_event, index) => index))
  expect(events.every(({ name, data }) => name === data.type)).toBe(true)
  expect(events.map(({ name }) => name)).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.reasoning_summary_part.added",
    "response.reasoning_summary_text.delta",
    "response.reasoning_summary_text.done",
    "response.reasoning_summary_part.done",
    "response.output_item.done",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.output_item.added",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.done",
    "response.output_item.done",
    "response.completed",
  ])
})

it("ends with the same response that is not streamed", async () => {
  const counts = usage({
    inputTokens: 100,
    cachedTokens: 60,
    cacheWriteTokens: 10,
    outputTokens: 20,
    reasoningTokens: 5,
  })
  const said = reply(reasoning("Hm"), text("Hi"), call("read"), counts)
  await using server = await modelServer({ replies: [said], repeat: true, now: () => 5_999 })

  const events = await readEvents(await postResponses(server, encrypted))
  const whole = (await (await postResponses(server, { ...encrypted, stream: false })).json()) as object

  const unnumbered = (value: unknown) =>
    JSON.stringify(value)
      .replaceAll(/_[12]\b|_[12](?=_)/g, "_N")
      .replaceAll("call_N", "call")
  expect(unnumbered(events.at(-1)?.data.response)).toBe(unnumbered(whole))
  expect(whole).toMatchObject({
    object: "response",
    created_at: 5,
    status: "completed",
    store: false,
    output: [
      { type: "reasoning", summary: [{ type: "summary_text", text: "Hm" }], encrypted_content: signatureOf("Hm") },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi" }] },
      { type: "function_call", call_id: "call_2", name: "read", arguments: "{}" },
    ],
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 120,
    },
  })
})

it("keeps encrypted reasoning from a request that does not include it", async () => {
  await using server = await modelServer({ replies: [reply(reasoning("Hm"))] })

  const answer = await (await postResponses(server)).text()

  expect(answer).not.toContain("encrypted_content")
})

it("keeps numbering and text whole over many deltas", async () => {
  await using server = await modelServer({ replies: [reply(deltas({ text: ["ab", "c"], count: 1_001 }))] })

  const events = await readEvents(await postResponses(server))

  expect(events.map(({ data }) => data.sequence_number)).toEqual(events.map((_event, index) => index))
  expect(events.find(({ name }) => name === "response.output_text.done")?.data.text).toBe(`${"abc".repeat(500)}ab`)
})

it.each([
  ["length", "max_output_tokens"],
  ["content-filter", "content_filter"],
])("is incomplete when it finishes with %s", async (reason, detail) => {
  await using server = await modelServer({ replies: [reply(text("Hi"), finish(reason))] })

  const last = (await readEvents(await postResponses(server))).at(-1)

  expect(last).toMatchObject({
    name: "response.incomplete",
    data: { response: { status: "incomplete", incomplete_details: { reason: detail } } },
  })
})

it("reports an error as an event, and the response as failed", async () => {
  await using server = await modelServer({ replies: [reply(streamError("Too long", { kind: "context-overflow" }))] })

  const events = await readEvents(await postResponses(server))

  expect(events.slice(-2)).toMatchObject([
    { name: "error", data: { error: { code: "context_length_exceeded", message: "Too long", param: "input" } } },
    {
      name: "response.failed",
      data: { response: { status: "failed", error: { code: "context_length_exceeded", message: "Too long" } } },
    },
  ])
})
