import { modelServer, reply, text } from "@pawl/model-server"
import type { ModelRequest } from "@pawl/core/provider"
import { sampleRequest } from "@pawl/provider-testkit"
import { describe, expect, it } from "vitest"
import { openaiModels } from "./catalogue.ts"
import { openai, type OpenAIOptions } from "./openai.ts"

/** The path and the body of a request to this model. */
async function sentTo(modelID: string, options: OpenAIOptions = {}, request: Partial<ModelRequest> = {}) {
  await using server = await modelServer({ replies: [reply(text("Hi"))] })
  const model = await openai({ baseURL: server.url, apiKey: "k", ...options }).model(modelID)
  const events: string[] = []
  for await (const { type } of model.stream(sampleRequest(request), new AbortController().signal)) events.push(type)
  expect(events.at(-1)).toBe("finish")
  const [sent] = server.requests
  return { path: sent?.path, body: sent?.body as Readonly<Record<string, unknown>> }
}

describe("the provider", () => {
  it("takes its key from the environment it is given, and from nowhere else", async () => {
    await expect(openai().model("gpt-5.4")).rejects.toMatchObject({
      kind: "auth",
      message: expect.stringContaining("Set the variable OPENAI_API_KEY"),
    })
    await expect(openai({ environment: { OPENAI_API_KEY: "k" } }).model("gpt-5.4")).resolves.toBeDefined()
  })

  it("tells of models it has never heard of what their family can do", async () => {
    const info = async (id: string) => (await openai({ apiKey: "k" }).model(id)).info
    expect((await info("gpt-7")).capabilities).toMatchObject({ reasoning: true, temperature: false })
    expect((await info("gpt-4o")).capabilities).toMatchObject({ reasoning: false, temperature: true })
    expect((await info("gpt-7")).limit).toEqual({ context: 0, output: 0 })
  })
})

describe("a request", () => {
  it("goes to the API that was chosen", async () => {
    expect((await sentTo("gpt-5.4")).path).toBe("/v1/responses")
    expect((await sentTo("gpt-5.4", { api: "chat" })).path).toBe("/v1/chat/completions")
  })

  it.each(["responses", "chat"] as const)("is cached by its session, over %s", async (api) => {
    const { body } = await sentTo("gpt-5.4", { api }, { sessionID: "ses_42" })
    expect(body["prompt_cache_key"]).toBe("ses_42")
  })

  it("stores nothing, and asks for reasoning that can go back", async () => {
    const { body } = await sentTo("gpt-5.4")
    expect(body).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] })
  })

  it("asks the same of a reasoning model under a name of somebody's own", async () => {
    const models = [{ id: "my-deployment", capabilities: { reasoning: true } }]
    const { body } = await sentTo("my-deployment", { models })
    expect(body["include"]).toEqual(["reasoning.encrypted_content"])
  })

  it.each(["responses", "chat"] as const)("leaves optional arguments optional, over %s", async (api) => {
    const { body } = await sentTo("gpt-5.4", { api })
    expect(JSON.stringify(body["tools"])).toContain('"strict":false')
  })

  it.each(
    openaiModels.flatMap(({ id, variants = {} }) => Object.entries(variants).map((entry) => [id, ...entry] as const)),
  )("to %s with effort %s is one that the API takes", async (id, effort, options) => {
    expect((await sentTo(id, {}, { settings: { options } })).body).toMatchObject({ reasoning: { effort } })
  })

  it("lets options of the caller's win", async () => {
    const { body } = await sentTo("gpt-5.4", {}, { settings: { options: { promptCacheKey: "mine" } } })
    expect(body["prompt_cache_key"]).toBe("mine")
  })

  it("asks for JSON by a schema", async () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    }
    const { body } = await sentTo("gpt-5.4", {}, { responseFormat: { schema, name: "answer" } })
    expect(body).toMatchObject({ text: { format: { type: "json_schema", name: "answer" } } })
  })
})
