import { modelServer, reply, text } from "@pawl/model-server"
import type { ModelRequest } from "@pawl/core/provider"
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

  it("opens a connection before there is a request where one is to follow", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi"))] })
    const model = await anthropic({ baseURL: server.url, apiKey: "k" }).model("claude-opus-5-5")
    model.connect?.()
    await expect.poll(() => server.connections).toBe(1)
    for await (const _ of model.stream(sampleRequest(), new AbortController().signal));
    expect(server.connections).toBe(1)
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
    const { info } = await anthropic({ apiKey: "k", promptCache: "1h" }).model("claude-haiku-5-5")
    expect(info).toMatchObject({ cacheTTL: 3_600_000, cost: { cacheWrite: 0.2, tiers: [{ cacheWrite: 1 }] } })
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

describe("the marks for the cache", () => {
  const cache_control = { type: "ephemeral" }

  it("stand behind the block that all sessions of an agent have, the last one, and two turns of the user", async () => {
    const call = { callID: "call_1", name: "read" }
    const body = await sentTo(
      "claude-opus-5-5",
      {},
      {
        system: ["Of all.", "Of this one.", "Of this prompt."],
        messages: [
          user("One"),
          { role: "assistant", content: [{ type: "tool-call", ...call, input: {} }] },
          { role: "tool", content: [{ type: "tool-result", ...call, output: "a", isError: false }] },
          { role: "assistant", content: [{ type: "text", text: "Two" }] },
          user("Three"),
        ],
      },
    )
    expect(body["system"]).toEqual([
      { type: "text", text: "Of all.", cache_control },
      { type: "text", text: "Of this one." },
      { type: "text", text: "Of this prompt.", cache_control },
    ])
    expect(JSON.stringify(body["tools"])).not.toContain("cache_control")
    const marked = (body["messages"] as { content: object[] }[]).map((each) =>
      JSON.stringify(each).includes("cache_control"),
    )
    expect(marked).toEqual([false, false, true, false, true])
  })

  it("has one of the tools' own where there is one block", async () => {
    const body = await sentTo("claude-opus-5-5", {}, { system: ["Of all."] })
    expect((body["tools"] as object[]).at(-1)).toMatchObject({ cache_control })
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(3)
  })
})

it("does without a number of thinking tokens where the calls that are answered were made without a thought", async () => {
  const settings = { options: { thinking: { type: "enabled", budgetTokens: 4_000 } }, maxOutputTokens: 9_000 }
  const call = { callID: "call_1", name: "read" }
  const made: ModelRequest["messages"] = [
    user("Read."),
    { role: "assistant", content: [{ type: "tool-call", ...call, input: {} }] },
    { role: "tool", content: [{ type: "tool-result", ...call, output: "a", isError: false }] },
  ]
  expect(await sentTo("claude-opus-4-5", {}, { settings, messages: made })).not.toHaveProperty("thinking")
  const answered = [
    ...made,
    { role: "assistant" as const, content: [{ type: "text" as const, text: "A." }] },
    user("And?"),
  ]
  expect(await sentTo("claude-opus-4-5", {}, { settings, messages: answered })).toHaveProperty("thinking")
})
