import { createGroq } from "@ai-sdk/groq"
import { createMistral } from "@ai-sdk/mistral"
import { createXai } from "@ai-sdk/xai"
import type { Model, ModelEvent, ModelRequest } from "@pawl/core/provider"
import { call, chatRequest, httpError, modelServer, rateLimit, reply, text, unauthorized } from "@pawl/model-server"
import { createGroq as createGroqForAI5 } from "ai-sdk-groq-2"
import { describe, expect, it } from "vitest"
import { type CreateSDK, sdkProvider } from "./sdk-provider.ts"

const KEY = "a-key-of-the-vendor-1234"
const request: ModelRequest = {
  ...{ sessionID: "s", system: ["Be short."], tools: [], settings: {}, headers: {} },
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
}

async function events(model: Model, more: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const all: ModelEvent[] = []
  for await (const event of model.stream({ ...request, ...more }, new AbortController().signal)) all.push(event)
  return all
}

const said = (all: readonly ModelEvent[]) => all.flatMap((e) => (e.type === "text-delta" ? [e.text] : [])).join("")

describe.each<[name: string, create: CreateSDK]>([
  ["@ai-sdk/groq", createGroq],
  ["@ai-sdk/mistral", createMistral],
])("%s", (name, create) => {
  const provider = (baseURL: string, more: object = {}) =>
    sdkProvider({ id: "acme", package: name, create, baseURL, apiKey: KEY, ...more })

  it("answers and calls tools, with the key, headers and query", async () => {
    const replies = [reply(text("Hello.")), reply(call("read", { filePath: "a" }))]
    await using server = await modelServer({ replies, apiKey: KEY })
    const words = { headers: { "x-team": "blue" }, query: { v: "1" } }
    const model = await provider(server.url, words).model("small")

    expect(said(await events(model))).toBe("Hello.")
    const called = (await events(model)).find((event) => event.type === "tool-call")
    expect(called).toMatchObject({ name: "read", input: '{"filePath":"a"}' })
    expect(server.requests[0]).toMatchObject({ path: "/v1/chat/completions?v=1", headers: { "x-team": "blue" } })
    expect(chatRequest(server.requests[0]).model).toBe("small")
  })

  it("opens a connection before there is a request where one is to follow", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi."))] })
    const model = await provider(server.url).model("small")

    model.connect?.()
    await expect.poll(() => server.connections).toBe(1)
    await events(model)
    expect(server.connections).toBe(1)
  })

  it("asks for a model by its own id, with its own headers", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi."))] })
    const models = [{ id: "fast", vendorID: "vendor-1", headers: { "x-model": "m" }, limit: { context: 9 } }]
    const model = await provider(server.url, { models }).model("fast")
    await events(model)

    expect(model.info.limit.context).toBe(9)
    expect(chatRequest(server.requests[0]).model).toBe("vendor-1")
    expect(server.requests[0]?.headers["x-model"]).toBe("m")
  })

  it("retries nothing, and tells failures apart", async () => {
    const replies = [rateLimit({ retryAfter: 1 }), unauthorized(), httpError(404, { message: "no such model: fst" })]
    await using server = await modelServer({ replies })
    const made = provider(server.url, { keyHint: "Look there.", models: [{ id: "fast" }] })
    const model = await made.model("fst")

    await expect(events(model)).rejects.toMatchObject({ kind: "rate-limited" })
    await expect(events(model)).rejects.toMatchObject({ kind: "auth", message: expect.stringContaining("Look there.") })
    await expect(events(model)).rejects.toThrow("Did you mean one of these: fast.")
    expect(server.requests).toHaveLength(3)
  })
})

it("speaks the API of its package, whichever that is", async () => {
  await using server = await modelServer({ replies: [reply(text("Hi."))], apiKey: KEY, strict: false })
  const create = createXai as CreateSDK
  const provider = sdkProvider({ id: "acme", package: "@ai-sdk/xai", create, baseURL: server.url, apiKey: KEY })

  expect(said(await events(await provider.model("grok")))).toBe("Hi.")
  expect(server.requests[0]?.path).toBe("/v1/responses")
})

it("takes no package of another AI SDK, and says which it takes", async () => {
  const create = createGroqForAI5 as unknown as CreateSDK
  const provider = sdkProvider({ id: "acme", package: "@ai-sdk/groq@2", create, apiKey: KEY })

  await expect(provider.model("small")).rejects.toThrow(
    'The package @ai-sdk/groq@2 speaks version "v2" of the AI SDK\'s model specification, and pawl needs "v4".',
  )
})

it("takes no package that makes something else", async () => {
  const provider = sdkProvider({ id: "acme", package: "odd", create: () => ({ languageModel: () => "x" }) })

  await expect(provider.model("small")).rejects.toThrow("The package odd gives no language model")
})

it.each<[name: string, create: () => unknown]>([
  [
    "throws",
    () => {
      throw new Error(`No region for ${KEY}`)
    },
  ],
  [
    "is a class",
    class {
      readonly languageModel = () => "x"
    } as unknown as () => unknown,
  ],
  ["gives nothing", () => undefined],
  ["gives something else", () => ({})],
  ["promises something", async () => ({ languageModel: () => "x" })],
])("names the package whose function %s", async (_name, create) => {
  const provider = sdkProvider({ id: "acme", package: "odd", create: create as CreateSDK, apiKey: KEY })

  const failure = provider.model("small")

  await expect(failure).rejects.toMatchObject({ kind: "invalid-request", details: { providerID: "acme" } })
  await expect(failure).rejects.toThrow(/^The package odd makes no model\. The provider "acme" failed: /)
  await expect(failure).rejects.not.toThrow(KEY)
})
