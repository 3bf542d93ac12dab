import { modelServer, reply, text } from "@pawl/model-server"
import type { ModelRequest } from "@pawl/core"
import { sampleRequest, user } from "@pawl/provider-testkit"
import { describe, expect, it } from "vitest"
import { anthropic, type AnthropicOptions } from "./anthropic.ts"
import { anthropicModels } from "./catalogue.ts"

/** The body of a request to this model. */
async function sentTo(modelID: string, options: AnthropicOptions = {}, request: Partial<ModelRequest> = {}) {
  await using server = await modelServer({ replies: [reply(text("Hi"))] })
  const model = await anthropic({ baseURL: server.url, apiKey: "k", ...options }).model(modelID)
  const events: string[] = []
  for await (const { type } of model.stream(sampleRequest(request), new AbortController().signal)) events.push(type)
  expect(events.at(-1)).toBe("finish")
  return server.requests[0]?.body as Readonly<Record<string, unknown>>
}

describe("the provider", () => {
  it("takes its key from the environment it is given, and from nowhere else", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi"))], apiKey: "k-env" })
    const provider = anthropic({ baseURL: server.url, environment: { ANTHROPIC_API_KEY: "k-env" } })
    const model = await provider.model("claude-opus-5-5")
    for await (const _ of model.stream(sampleRequest(), new AbortController().signal));
    expect(server.requests[0]?.headers["x-api-key"]).toBe("k-env")

    await expect(anthropic().model("claude-opus-5-5")).rejects.toMatchObject({
      kind: "auth",
      message: expect.stringContaining("Set the variable ANTHROPIC_API_KEY"),
    })
  })

  it("knows its models without asking, lets configured ones win, and takes any other id", async () => {
    const models = [{ id: "claude-opus-5-5", cost: { input: 1 } }, { id: "claude-next" }]
    const provider = anthropic({ apiKey: "k", models })
    const known = await provider.models()
    expect(known).toHaveLength(anthropicModels.length + 1)
    expect(known[0]).toMatchObject({
      id: "claude-opus-5-5",
      limit: { context: 1_000_000 },
      cost: { input: 1, output: 20 },
    })
    expect((await provider.model("claude-opus-9")).info).toMatchObject({
      limit: { context: 0 },
      capabilities: { reasoning: true, toolCall: true },
      promptFamily: "anthropic",
    })
  })
})

describe("a request", () => {
  it("keeps its cache for an hour, or asks for none, when told so", async () => {
    const hour = JSON.stringify(await sentTo("claude-opus-5-5", { promptCache: "1h" }))
    expect(hour.match(/"cache_control":\{"type":"ephemeral","ttl":"1h"\}/g)).toHaveLength(3)
    expect(JSON.stringify(await sentTo("claude-opus-5-5", { promptCache: false }))).not.toContain("cache_control")
  })

  it("has no mark for what is not there", async () => {
    const body = await sentTo("claude-opus-5-5", {}, { system: [], tools: [], messages: [user("Hi")] })
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(1)
  })

  it("asks models that think by themselves to show it, unless the caller says otherwise", async () => {
    expect(await sentTo("claude-opus-5-5")).toMatchObject({ thinking: { type: "adaptive", display: "summarized" } })
    expect(await sentTo("claude-opus-4-6")).not.toHaveProperty("thinking")
    const settings = { options: { thinking: { type: "adaptive", display: "omitted" } } }
    expect(await sentTo("claude-opus-5-5", {}, { settings })).toMatchObject({ thinking: { display: "omitted" } })
  })

  it.each(
    anthropicModels.flatMap(({ id, variants = {} }) =>
      Object.entries(variants).map((entry) => [id, ...entry] as const),
    ),
  )("to %s with effort %s is one that the API takes", async (id, effort, options) => {
    const body = await sentTo(id, {}, { settings: { options, maxOutputTokens: 50_000 } })
    expect(body["thinking"]).toMatchObject({ type: expect.stringMatching(/adaptive|enabled/) })
    if ("effort" in options) expect(body).toMatchObject({ output_config: { effort } })
  })

  it("asks for JSON by a schema", async () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    }
    const body = await sentTo("claude-opus-5-5", {}, { responseFormat: { schema }, tools: [] })
    expect(body).toMatchObject({ output_config: { format: { type: "json_schema" } } })
  })
})
