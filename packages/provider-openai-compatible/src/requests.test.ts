import type { ModelMessage } from "@pawl/core/provider"
import { call, chatRequest, modelServer, reply, requestPrefix, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { acme, ask, never, request } from "../test/session.ts"

describe("requests to a server", () => {
  it("end with the messages, behind everything that stays the same", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi"))] })
    const settings = { temperature: 0.2, topP: 0.9, maxOutputTokens: 100, options: { reasoningEffort: "low", seed: 7 } }

    await ask(acme(server), request({ settings }))

    const body = server.requests[0]?.body as object
    expect(Object.keys(body)).toEqual([
      "model",
      "max_tokens",
      "temperature",
      "top_p",
      "seed",
      "reasoning_effort",
      "tools",
      "stream",
      "stream_options",
      "messages",
    ])
    expect(body).toMatchObject({ model: "small", seed: 7, stream_options: { include_usage: true } })
  })

  it("ask a model that reasons with the effort of a variant", async () => {
    await using server = await modelServer({ replies: () => reply(text("Hi")) })
    const variants = { low: { disabled: true }, fast: { reasoningEffort: "none" } }
    const models = [{ id: "small", capabilities: { reasoning: true }, variants }, { id: "plain" }]
    const [small, plain] = await acme(server, { models }).models()
    expect(Object.keys(small?.variants ?? {})).toEqual(["medium", "high", "fast"])
    expect(plain?.variants).toBeUndefined()

    for (const options of Object.values(small?.variants ?? {})) {
      await ask(acme(server, { models }), request({ settings: { options } }))
    }

    expect(server.requests.map(({ body }) => body)).toMatchObject([
      { reasoning_effort: "medium" },
      { reasoning_effort: "high" },
      { reasoning_effort: "none" },
    ])
  })

  it("begin with the bytes of the one before, over five steps, whoever sends them", async () => {
    await using server = await modelServer({ replies: () => reply(call("read", { path: "a" })) })
    const messages: ModelMessage[] = [{ role: "user", content: [{ type: "text", text: "Grüße 👋" }] }]

    for (let step = 1; step <= 5; step++) {
      // A new provider converts all messages again, as another process would.
      await ask(acme(server), request({ messages: [...messages] }))
      const call = { callID: `call_${step}`, name: "read" }
      messages.push(
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "Hm." },
            { type: "text", text: `Step ${step}.` },
            { type: "tool-call", ...call, input: { path: "a", offset: step, nested: { z: 1, a: [1.5, null] } } },
          ],
        },
        {
          role: "tool",
          content: [{ type: "tool-result", ...call, output: `line ${step}\n"quoted"`, isError: step === 3 }],
        },
      )
    }

    const bodies = server.requests.map(({ raw }) => raw)
    expect(bodies).toHaveLength(5)
    for (const [index, newer] of bodies.slice(1).entries()) {
      const older = bodies[index] ?? Buffer.of()
      expect(requestPrefix(older, newer)).toBeUndefined()
      expect(newer.subarray(0, older.length - 2).equals(older.subarray(0, -2))).toBe(true)
      expect(older.subarray(-2).toString()).toBe("]}")
    }
  })

  it("carry one system message, the conversation, and tools in their order", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi"))] })
    const image = { type: "file", mime: "image/png", url: "data:image/png;base64,AAAA" } as const
    const result = { type: "tool-result", callID: "c1", name: "read", output: "ENOENT", isError: true } as const

    await ask(
      acme(server),
      request({
        system: ["Stable.", "Volatile."],
        messages: [
          { role: "user", content: [{ type: "text", text: "What is this?" }, image] },
          { role: "assistant", content: [{ type: "tool-call", callID: "c1", name: "read", input: { path: "a" } }] },
          { role: "tool", content: [{ ...result, attachments: [image] }] },
        ],
      }),
    )

    const [sent] = server.requests
    if (sent === undefined) throw new Error("Nothing was sent.")
    const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }
    const { messages, tools } = chatRequest(sent)
    expect(messages).toEqual([
      { role: "system", content: "Stable.\n\nVolatile." },
      { role: "user", content: [{ type: "text", text: "What is this?" }, picture] },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "ENOENT" },
      { role: "user", content: [{ type: "text", text: "Attached media from tool result:" }, picture] },
    ])
    expect(tools).toMatchObject([{ type: "function", function: { name: "read", description: "Reads a file." } }])
  })

  it("carry the key, the provider's headers, the request's headers and the query", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi"))], apiKey: "k-123456" })
    const provider = acme(server, { apiKey: "k-123456", headers: { "x-team": "blue" }, query: { version: "2" } })

    await ask(provider, request({ headers: { "x-session": "ses_1" } }))

    expect(server.requests[0]).toMatchObject({
      path: "/v1/chat/completions?version=2",
      headers: { authorization: "Bearer k-123456", "x-team": "blue", "x-session": "ses_1" },
    })
  })

  it("carry no authorization without a key", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi"))] })

    await ask(acme(server, { apiKey: "" }))

    expect(server.requests[0]?.headers).not.toHaveProperty("authorization")
  })

  it("go out when an answer is read, not when it is asked for", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi"))] })
    const model = await acme(server).model("small")

    const events = model.stream(request(), never)
    await new Promise(setImmediate)
    expect(server.requests).toHaveLength(0)

    await events[Symbol.asyncIterator]().next()
    expect(server.requests).toHaveLength(1)
  })

  it("use the caller's fetch", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi"))] })
    const inputs: unknown[] = []
    const provider = acme(server, {
      fetch: (input, init) => {
        inputs.push(input)
        return fetch(input, init)
      },
    })

    await ask(provider)

    expect(inputs).toEqual([`${server.url}/chat/completions`])
  })
})
