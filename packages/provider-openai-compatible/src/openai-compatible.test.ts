import { NotFoundError, ProviderError } from "@pawl/core/provider"
import { modelServer, reply, text } from "@pawl/model-server"
import { createConnection, defaultModelInfo } from "@pawl/provider-http"
import { describe, expect, it } from "vitest"
import { acme, ask, rawServer } from "../test/session.ts"
import { listModels } from "./list-models.ts"
import { openAICompatible } from "./openai-compatible.ts"

const nowhere = { url: "http://127.0.0.1:9/v1" }

describe("configured models", () => {
  const models = [{ id: "small", name: "Small", limit: { context: 8000 }, cost: { input: 1 } }, { id: "medium" }]

  it("are listed without asking the server, filled in with what is not known", async () => {
    expect(await acme(nowhere, { models }).models()).toEqual([
      {
        id: "small",
        name: "Small",
        limit: { context: 8000, output: 0 },
        cost: { input: 1, output: 0, cacheRead: 0, cacheWrite: 0 },
        capabilities: { reasoning: false, attachment: false, toolCall: true },
      },
      defaultModelInfo("medium"),
    ])
  })

  it("are the only ones there are", async () => {
    const provider = acme(nowhere, { models })

    expect((await provider.model("small")).info).toMatchObject({ name: "Small", limit: { context: 8000 } })
    await expect(provider.model("large")).rejects.toThrow(
      new NotFoundError('Model "acme/large" is not known. Known for "acme": small, medium.'),
    )
  })
})

describe("without configured models", () => {
  it("every id is a model's, of which nothing is known", async () => {
    const model = await acme(nowhere).model("vendor/large:8b")

    expect(model.ref).toEqual({ providerID: "acme", modelID: "vendor/large:8b" })
    expect(model.info).toEqual(defaultModelInfo("vendor/large:8b"))
  })

  it("the server is asked for its list", async () => {
    await using server = await modelServer({ replies: [], models: ["small", "large"] })

    expect(await acme(server, { models: [] }).models()).toEqual([defaultModelInfo("small"), defaultModelInfo("large")])
  })

  it("the list is asked for with key, headers and query, and tells names and windows", async () => {
    let asked: unknown
    await using server = await rawServer(({ url, headers }, response) => {
      asked = { url, authorization: headers.authorization, team: headers["x-team"] }
      const data = [
        { id: "a", name: "A", context_length: 1000 },
        { id: "b", max_model_len: 2000 },
        { id: "c", context_window: 3000 },
        { id: "d", context_length: "many" },
        { name: "no id" },
      ]
      response.end(JSON.stringify({ object: "list", data }))
    })
    const provider = acme({ url: `${server.url}/` }, { apiKey: "k", headers: { "x-team": "blue" }, query: { v: "2" } })

    const models = await provider.models()

    expect(models.map(({ id, name, limit }) => [id, name, limit.context])).toEqual([
      ["a", "A", 1000],
      ["b", "b", 2000],
      ["c", "c", 3000],
      ["d", "d", 0],
    ])
    expect(asked).toEqual({ url: "/v1/models?v=2", authorization: "Bearer k", team: "blue" })
  })

  it("those of the list that nobody could name are left out, and each is there once", async () => {
    const ids = [
      "large",
      "",
      " ",
      " a",
      "a\u001b[2J",
      "a\nb",
      "a\u202eb",
      "\u009b31m",
      "x".repeat(201),
      "small",
      "large",
      null,
      7,
    ]
    const data = ids.map((id) => ({ id, name: "a\u0007", context_length: 1e300, max_model_len: 1.5 }))
    await using server = await rawServer((_request, response) =>
      response.end(JSON.stringify({ data: [...data, null] })),
    )

    expect(await acme(server).models()).toEqual([defaultModelInfo("large"), defaultModelInfo("small")])
  })

  it.each([
    ["refuses", 401, "{}", "auth", /refused the key \(401\)/],
    ["has no such path", 404, "not found", "invalid-request", /rejected the request \(404\): not found\./],
    ["answers with a web page", 200, "<html></html>", "invalid-request", /has no list of models\. Name its models/],
    ["answers with something else", 200, '{"data":{}}', "invalid-request", /has no list of models/],
  ])("the list is a ProviderError when the server %s", async (_name, status, body, kind, message) => {
    await using server = await rawServer((_request, response) => response.writeHead(status).end(body))

    const listing = acme(server).models()

    await expect(listing).rejects.toBeInstanceOf(ProviderError)
    await expect(listing).rejects.toMatchObject({ kind, message: expect.stringMatching(message) })
  })

  it("the list is a ProviderError when it is longer than the limit", async () => {
    await using server = await rawServer((_request, response) => response.end("[".repeat(20 * 1024 * 1024)))
    const plan = { id: "acme", baseURL: server.url, baseURLHint: "", needsKey: false }

    const listing = listModels(createConnection(plan, {}), 100_000)

    await expect(listing).rejects.toMatchObject({
      kind: "invalid-request",
      message: expect.stringMatching(/has no list of models/),
    })
  })

  it("the list is a ProviderError when nothing listens", async () => {
    const server = await rawServer(() => {})
    await server[Symbol.asyncDispose]()

    await expect(acme(server).models()).rejects.toMatchObject({
      kind: "transport",
      message: `Cannot reach ${server.url}: connection refused. Is the server running?`,
    })
  })
})

describe("a provider", () => {
  it("is named as told, else by its id", () => {
    expect(openAICompatible({ id: "acme", name: "Acme Inc.", baseURL: nowhere.url }).name).toBe("Acme Inc.")
    expect(acme(nowhere).name).toBe("acme")
  })

  it("passes options on whatever its id looks like", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi"))] })
    const provider = acme(server, { id: "my.server-2" })
    const model = await provider.model("small")
    const request = {
      sessionID: "s",
      system: [],
      messages: [],
      tools: [],
      headers: {},
      settings: { options: { n: 1 } },
    }
    const user = { role: "user", content: [{ type: "text", text: "Hi" }] } as const

    const { signal } = new AbortController()
    for await (const event of model.stream({ ...request, messages: [user] }, signal)) if (event.type === "finish") break

    expect(server.requests[0]?.body).toMatchObject({ n: 1 })
  })

  it("answers from two servers side by side", async () => {
    await using one = await modelServer({ replies: [reply(text("One"))] })
    await using two = await modelServer({ replies: [reply(text("Two"))] })

    const [first, second] = await Promise.all([ask(acme(one)), ask(acme(two, { id: "other" }))])

    expect(first).toContainEqual({ type: "text-delta", id: "txt-0", text: "One" })
    expect(second).toContainEqual({ type: "text-delta", id: "txt-0", text: "Two" })
  })
})
