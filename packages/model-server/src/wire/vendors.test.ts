import { APICallError, type LanguageModelV4Message } from "@ai-sdk/provider"
import { describe, expect, it } from "vitest"
import { readToEnd, readUntil } from "../../test/chat-client.ts"
import {
  hello,
  joined,
  ofType,
  readTool,
  streamParts,
  toAssistantContent,
  toResults,
  typesOf,
} from "../../test/judge.ts"
import { anthropic, chat, gemini, responses, type Vendor } from "../../test/vendors.ts"
import {
  badJson,
  call,
  contextOverflow,
  cut,
  deltas,
  empty,
  end,
  finish,
  modelServer,
  overloaded,
  quotaExhausted,
  rateLimit,
  reasoning,
  reply,
  stall,
  start,
  streamError,
  text,
  unauthorized,
  usage,
  type Reply,
} from "../index.ts"

const thinkers = [responses, anthropic, gemini]
const vendors = [chat, ...thinkers]
const withTools = { ...hello, tools: [readTool] }

describe.each(vendors)("$name, judged by its own client", (vendor) => {
  it("streams text and parallel calls in order, with exactly one finish", async () => {
    const said = reply(text(["Loo", "king"]), call("read", { filePath: "ünï😀.ts" }), call("read", { filePath: "b" }))
    await using server = await modelServer({ replies: [said] })

    const parts = await streamParts(vendor.model(server), withTools)

    expect(joined(parts, "text-delta")).toBe("Looking")
    const texts = ofType(parts, "text-delta").map((part) => part.delta)
    expect(texts.filter((delta) => delta !== "")).toEqual(["Loo", "king"])
    expect(ofType(parts, "tool-call").map(({ toolCallId, toolName, input }) => [toolCallId, toolName, input])).toEqual([
      ["call_1", "read", '{"filePath":"ünï😀.ts"}'],
      ["call_2", "read", '{"filePath":"b"}'],
    ])
    expect(ofType(parts, "finish").map((part) => part.finishReason.unified)).toEqual(["tool-calls"])
    expect(ofType(parts, "error")).toEqual([])
    const types = typesOf(parts)
    expect(types.indexOf("text-delta")).toBeLessThan(types.indexOf("tool-call"))
  })

  it("says the same in one body", async () => {
    await using server = await modelServer({ replies: [reply(text(["Loo", "king"]), call("read"), call("read", ""))] })

    const { content, finishReason } = await vendor.model(server).doGenerate(withTools)

    expect(content).toMatchObject([
      { type: "text", text: "Looking" },
      { type: "tool-call", toolCallId: "call_1", toolName: "read", input: "{}" },
      { type: "tool-call", toolCallId: "call_2", toolName: "read" },
    ])
    expect(finishReason.unified).toBe("tool-calls")
  })

  it.each([true, false])("counts input, cached and reasoning tokens once (stream: %s)", async (stream) => {
    const counts = usage({ inputTokens: 100, cachedTokens: 60, outputTokens: 20, reasoningTokens: 5 })
    await using server = await modelServer({ replies: [reply(text("Hi"), counts)] })

    const model = vendor.model(server)
    const used = stream ? ofType(await streamParts(model), "finish")[0]?.usage : (await model.doGenerate(hello)).usage

    expect(used?.inputTokens).toMatchObject({ total: 100, noCache: 40, cacheRead: 60 })
    expect(used?.outputTokens).toMatchObject({ total: 20, text: 15, reasoning: 5 })
  })

  it.each([
    ["stop", "stop"],
    ["length", "length"],
    ["content-filter", "content-filter"],
    ["odd", "other"],
  ])("finishes with %s", async (reason, unified) => {
    await using server = await modelServer({ replies: [reply(text("Hi"), finish(reason))], repeat: true })

    const [streamed] = ofType(await streamParts(vendor.model(server)), "finish")
    const whole = await vendor.model(server).doGenerate(hello)

    expect(streamed?.finishReason.unified).toBe(unified)
    expect(whole.finishReason.unified).toBe(unified)
  })

  it("streams a long run of deltas without a gap", async () => {
    await using server = await modelServer({
      replies: [reply(deltas({ text: ["ab ", "c "], count: 501 }), text("!"))],
    })

    const parts = await streamParts(vendor.model(server))

    expect(joined(parts, "text-delta")).toBe(`${"ab c ".repeat(250)}ab !`)
    expect(ofType(parts, "finish")).toHaveLength(1)
  })

  it("answers with nothing", async () => {
    await using server = await modelServer({ replies: [empty()], repeat: true })

    const parts = await streamParts(vendor.model(server))

    expect(joined(parts, "text-delta")).toBe("")
    expect(ofType(parts, "finish").map((part) => part.finishReason.unified)).toEqual(["stop"])
  })

  it("takes images, files and several system messages", async () => {
    const file = (mediaType: string) => ({
      type: "file" as const,
      mediaType,
      filename: "a.pdf",
      data: { type: "data" as const, data: "JVBERi0x" },
    })
    const prompt: LanguageModelV4Message[] = [
      { role: "system", content: "Be brief." },
      { role: "system", content: "Be kind." },
      { role: "user", content: [{ type: "text", text: "Look" }, file("image/png"), file("application/pdf")] },
    ]
    await using server = await modelServer({ replies: [reply(text("Hi"))] })

    expect(joined(await streamParts(vendor.model(server), { prompt }), "text-delta")).toBe("Hi")
  })

  it.each(["auto", "required", "none"] as const)("takes the tool choice %s", async (type) => {
    await using server = await modelServer({ replies: [reply(text("Hi"))] })

    const parts = await streamParts(vendor.model(server), { ...withTools, toolChoice: { type } })

    expect(joined(parts, "text-delta")).toBe("Hi")
  })
})

describe.each(thinkers)("reasoning over $name", (vendor) => {
  const said = reply(reasoning(["Let me", " see"]), text("Looking"), call("read", { filePath: "a" }), call("read"))
  const options = { ...withTools, providerOptions: vendor.thinking, maxOutputTokens: 4_000 }

  it.each([true, false])("comes before the answer (stream: %s)", async (stream) => {
    await using server = await modelServer({ replies: [said] })

    if (stream) {
      const parts = await streamParts(vendor.model(server), options)
      expect(joined(parts, "reasoning-delta")).toBe("Let me see")
      expect(ofType(parts, "reasoning-start")).toHaveLength(1)
    } else {
      const { content } = await vendor.model(server).doGenerate(options)
      expect(content[0]).toMatchObject({ type: "reasoning", text: "Let me see" })
    }
  })

  it("is accepted when it comes back with its signature, and the results behind the calls", async () => {
    await using server = await modelServer({ replies: [said, reply(reasoning("Now"), text("Done"))] })
    const answer = toAssistantContent(await streamParts(vendor.model(server), options))
    const prompt = [...hello.prompt, { role: "assistant" as const, content: answer }, toResults(answer)]

    const parts = await streamParts(vendor.model(server), { ...options, prompt })

    expect(joined(parts, "text-delta")).toBe("Done")
    expect(server.requests.map((request) => request.status)).toEqual([200, 200])
  })

  it("carries the signature of the script", async () => {
    await using server = await modelServer({ replies: [reply(reasoning("Hm", { signature: "sig-7" }), call("read"))] })

    const parts = await streamParts(vendor.model(server), options)

    expect(JSON.stringify(parts)).toContain("sig-7")
  })
})

describe.each(vendors)("faults over $name", (vendor: Vendor) => {
  it("cuts and ends after everything said before has arrived", async () => {
    await using server = await modelServer({
      replies: [reply(text(["first", "second"]), cut()), reply(text(["first", "second"]), end())],
    })

    const broken = await readToEnd(await vendor.post(server, { stream: true }))
    const ended = await readToEnd(await vendor.post(server, { stream: true }))

    expect(broken).toMatchObject({ complete: false, body: expect.stringMatching(/first[^]*second/) })
    expect(ended).toMatchObject({ complete: true, body: expect.stringMatching(/first[^]*second/) })
    expect(ended.body).not.toMatch(/\[DONE\]|message_stop|response\.completed|finishReason/)
  })

  it("does not finish when the body ends in the middle of a call", async () => {
    await using server = await modelServer({ replies: [reply(text("a"), call("read", ["{"]), end())] })

    const parts = await streamParts(vendor.model(server), withTools)

    expect(ofType(parts, "finish").map((part) => part.finishReason.unified)).not.toContain("tool-calls")
  })

  it("shows its head before it is silent, and notices that the client leaves", async () => {
    await using server = await modelServer({ replies: [reply(start(), stall()), reply(text("word"), stall())] })
    const leaving = new AbortController()
    const silent = await vendor.post(server, { stream: true, init: { signal: leaving.signal } })
    await readUntil(await vendor.post(server, { stream: true, init: { signal: leaving.signal } }), "word")

    leaving.abort()
    await server.idle()

    expect(silent.status).toBe(200)
    expect(server.requests.map((request) => request.aborted)).toEqual([true, true])
  })

  it("sends a piece that is not JSON and goes on", async () => {
    await using server = await modelServer({ replies: [reply(text("a"), badJson(), text("b"))] })

    const parts = await streamParts(vendor.model(server))

    expect(ofType(parts, "error")).toHaveLength(1)
    expect(joined(parts, "text-delta")).toMatch(/^ab?$/)
  })

  it("reports an error inside the stream, once", async () => {
    await using server = await modelServer({
      replies: [reply(text("a"), streamError("Too much to do", { kind: "overloaded" }))],
    })

    const parts = await streamParts(vendor.model(server))

    const errors = ofType(parts, "error").map((part) => JSON.stringify(part.error))
    expect(errors).toEqual([expect.stringContaining("Too much to do")])
    expect(ofType(parts, "finish").every((part) => part.finishReason.unified === "error")).toBe(true)
  })

  it("turns an error of a body that is not streamed into a status", async () => {
    await using server = await modelServer({ replies: [reply(text("a"), streamError("No", { kind: "overloaded" }))] })

    const response = await vendor.post(server, { stream: false })

    expect(response.status).toBeGreaterThanOrEqual(500)
    expect(await response.text()).toContain('"No"')
  })
})

/** What the vendor's client makes of an error status. */
async function failure(vendor: Vendor, answer: Reply): Promise<APICallError> {
  await using server = await modelServer({ replies: [answer] })
  const error: unknown = await streamParts(vendor.model(server)).catch((reason: unknown) => reason)
  if (APICallError.isInstance(error)) return error
  throw new Error("The client did not fail.")
}

describe.each([
  [chat, "rate-limit", rateLimit(), 429, /Rate limit reached/],
  [responses, "rate-limit", rateLimit(), 429, /Rate limit reached/],
  [anthropic, "rate-limit", rateLimit(), 429, /exceed the rate limit/],
  [gemini, "rate-limit", rateLimit(), 429, /exceeded your current quota/],
  [chat, "context-overflow", contextOverflow(), 400, /maximum context length is 128000 tokens/],
  [responses, "context-overflow", contextOverflow(), 400, /exceeds the context window/],
  [anthropic, "context-overflow", contextOverflow(), 400, /prompt is too long: 210000 tokens > 200000 maximum/],
  [gemini, "context-overflow", contextOverflow(), 400, /input token count \(1200000\) exceeds the maximum/],
  [chat, "overloaded", overloaded(), 503, /overloaded/],
  [responses, "overloaded", overloaded(), 503, /overloaded/],
  [anthropic, "overloaded", overloaded(), 529, /Overloaded/],
  [gemini, "overloaded", overloaded(), 503, /The model is overloaded/],
  [chat, "quota", quotaExhausted(), 429, /exceeded your current quota/],
  [responses, "quota", quotaExhausted(), 429, /exceeded your current quota/],
  [anthropic, "quota", quotaExhausted(), 400, /credit balance is too low/],
  [gemini, "quota", quotaExhausted(), 429, /exceeded your current quota/],
  [chat, "unauthorized", unauthorized(), 401, /Incorrect API key/],
  [responses, "unauthorized", unauthorized(), 401, /Incorrect API key/],
  [anthropic, "unauthorized", unauthorized(), 401, /invalid x-api-key/],
  [gemini, "unauthorized", unauthorized(), 400, /API key not valid/],
] as const)("%o", (vendor, kind, answer, status, message) => {
  it(`has the status and the words of ${vendor.name} for ${kind}`, async () => {
    const error = await failure(vendor, answer)

    expect(error.statusCode).toBe(status)
    expect(error.message).toMatch(message)
  })
})

describe("the seconds to wait", () => {
  it.each([chat, responses, anthropic])("stand in a header of $name", async (vendor) => {
    expect((await failure(vendor, rateLimit({ retryAfter: 7 }))).responseHeaders?.["retry-after"]).toBe("7")
  })

  it("stand in the body of Gemini alone", async () => {
    const { responseBody, responseHeaders } = await failure(gemini, rateLimit({ retryAfter: 7 }))

    expect(responseBody).toContain('"retryDelay":"7s"')
    expect(responseHeaders).not.toHaveProperty("retry-after")
  })
})

describe.each(vendors)("admission over $name", (vendor) => {
  it("refuses what the real API would refuse, in its own shape, unless strict is off", async () => {
    await using strict = await modelServer({ replies: [] })
    await using loose = await modelServer({ replies: [reply(text("Hi"))], strict: false })

    const refused = await vendor.refused(strict)

    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringMatching(/^(?:messages|input|contents):/) },
    })
    expect((await vendor.refused(loose)).status).toBe(200)
  })

  it("takes the key where the vendor's client puts it", async () => {
    await using open = await modelServer({ replies: [reply(text("Hi"))], apiKey: "key" })
    await using closed = await modelServer({ replies: [], apiKey: "another" })

    expect(joined(await streamParts(vendor.model(open)), "text-delta")).toBe("Hi")
    await expect(streamParts(vendor.model(closed))).rejects.toThrow("not the one of this server")
  })
})
