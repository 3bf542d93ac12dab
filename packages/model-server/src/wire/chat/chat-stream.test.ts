import { describe, expect, it } from "vitest"
import { chatBody, deltasOf, finishOf, post, readChunks, readData } from "../../../test/chat-client.ts"
import { call, deltas, finish, modelServer, reasoning, reply, text, usage } from "../../index.ts"

describe("a streamed chat completion", () => {
  it("opens with the role, sends each chunk of text and ends with finish and [DONE]", async () => {
    await using server = await modelServer({ replies: [reply(text(["Loo", "king"]))] })

    const response = await post(server)

    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toContain("text/event-stream")
    const data = await readData(response)
    expect(data.at(-1)).toBe("[DONE]")
    const chunks = data.slice(0, -1).map((payload) => JSON.parse(payload))
    expect(deltasOf(chunks)).toEqual([{ role: "assistant", content: "" }, { content: "Loo" }, { content: "king" }])
    expect(chunks.map((chunk) => chunk.choices[0].finish_reason)).toEqual([null, null, null, "stop"])
  })

  it("carries one id, the model of the request and the time of the clock in each chunk", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi")), reply()], now: () => 5_999 })

    const chunks = await readChunks(await post(server, chatBody({ model: "acme/large" })))
    const others = await readChunks(await post(server))

    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1)
    expect(others[0]?.id).not.toBe(chunks[0]?.id)
    expect(chunks.every((chunk) => chunk.model === "acme/large")).toBe(true)
    expect(chunks[0]).toMatchObject({ object: "chat.completion.chunk", created: 5 })
  })

  it("sends reasoning as reasoning_content", async () => {
    await using server = await modelServer({ replies: [reply(reasoning(["Let me", " see"]), text("Yes"))] })

    const sent = deltasOf(await readChunks(await post(server)))

    expect(sent.slice(1)).toEqual([{ reasoning_content: "Let me" }, { reasoning_content: " see" }, { content: "Yes" }])
  })

  it("sends a tool call as a head and several deltas of its arguments", async () => {
    const input = { filePath: "a/long/path/ünï😀.ts" }
    await using server = await modelServer({ replies: [reply(text("Looking"), call("read", input))] })

    const chunks = await readChunks(await post(server))

    const parts = deltasOf(chunks).flatMap((delta) => delta.tool_calls ?? [])
    expect(parts[0]).toEqual({ index: 0, id: "call_1", type: "function", function: { name: "read", arguments: "" } })
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.slice(1).every((part) => part.index === 0 && part.id === undefined)).toBe(true)
    expect(JSON.parse(parts.map((part) => part.function.arguments).join(""))).toEqual(input)
    expect(finishOf(chunks)).toBe("tool_calls")
  })

  it("numbers parallel calls by index, and generated ids over the server's life", async () => {
    await using server = await modelServer({
      replies: [reply(call("a"), call("b", {}, { id: "mine" }), call("c")), reply(call("d"))],
    })

    const first = deltasOf(await readChunks(await post(server))).flatMap((delta) => delta.tool_calls ?? [])
    const second = deltasOf(await readChunks(await post(server))).flatMap((delta) => delta.tool_calls ?? [])

    const heads = [...first, ...second].filter((part) => part.id !== undefined)
    expect(heads.map(({ index, id }) => [index, id])).toEqual([
      [0, "call_1"],
      [1, "mine"],
      [2, "call_2"],
      [0, "call_3"],
    ])
  })

  it("sends raw arguments as they are, so that they may be broken JSON", async () => {
    await using server = await modelServer({ replies: [reply(call("read", '{"file'), call("read", ["{", "]"]))] })

    const parts = deltasOf(await readChunks(await post(server))).flatMap((delta) => delta.tool_calls ?? [])

    expect(parts.filter((part) => part.id === undefined).map((part) => part.function.arguments)).toEqual([
      '{"file',
      "{",
      "]",
    ])
  })

  it("maps the finish reason and passes unknown ones on", async () => {
    await using server = await modelServer({
      replies: [reply(finish("length")), reply(finish("content-filter")), reply(finish("odd"))],
    })

    const reasons = []
    for (let count = 0; count < 3; count++) reasons.push(finishOf(await readChunks(await post(server))))

    expect(reasons).toEqual(["length", "content_filter", "odd"])
  })

  it("reports usage behind the finish only when the request asks for it", async () => {
    await using server = await modelServer({
      replies: [reply(usage({ inputTokens: 100, outputTokens: 20, cachedTokens: 64, reasoningTokens: 8 }))],
      repeat: true,
    })

    const asked = await readChunks(await post(server, chatBody({ stream_options: { include_usage: true } })))
    const silent = await readChunks(await post(server))

    expect(asked.slice(0, -1).map((chunk) => chunk.usage)).toEqual([null, null])
    expect(asked.at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 64 },
        completion_tokens_details: { reasoning_tokens: 8 },
      },
    })
    expect(silent.every((chunk) => !("usage" in chunk))).toBe(true)
  })

  it("streams many equal deltas, whatever their number", async () => {
    for (const count of [0, 1, 2, 20_000]) {
      await using server = await modelServer({ replies: [reply(deltas({ text: "abc ", count }), text("end"))] })

      const sent = deltasOf(await readChunks(await post(server))).map((delta) => delta.content)

      expect(sent.length).toBe(count + 2)
      expect(sent.join("")).toBe(`${"abc ".repeat(count)}end`)
    }
  })
})
