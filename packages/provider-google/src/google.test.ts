import { modelServer, reply, text } from "@pawl/model-server"
import type { JSONObject, ModelRequest } from "@pawl/core/provider"
import { sampleRequest } from "@pawl/provider-testkit"
import { describe, expect, it } from "vitest"
import { geminiModels } from "./catalogue.ts"
import { google } from "./google.ts"

/** The body of a request to this model. */
async function sentTo(modelID: string, request: Partial<ModelRequest> = {}) {
  await using server = await modelServer({ replies: [reply(text("Hi"))] })
  const model = await google({ baseURL: `${server.origin}/v1beta`, apiKey: "k" }).model(modelID)
  const events: string[] = []
  for await (const { type } of model.stream(sampleRequest(request), new AbortController().signal)) events.push(type)
  expect(events.at(-1)).toBe("finish")
  return server.requests[0]?.body as Readonly<Record<string, unknown>>
}

describe("the provider", () => {
  it.each(["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"])(
    "takes its key from %s of the environment it is given",
    async (variable) => {
      await using server = await modelServer({ replies: [reply(text("Hi"))], apiKey: "k-env" })
      const provider = google({ baseURL: `${server.origin}/v1beta`, environment: { [variable]: "k-env" } })
      const model = await provider.model("gemini-3.5-flash")
      for await (const _ of model.stream(sampleRequest(), new AbortController().signal));
      expect(server.requests[0]?.headers["x-goog-api-key"]).toBe("k-env")
    },
  )

  it("says which variable to set", async () => {
    await expect(google().model("gemini-3.5-flash")).rejects.toMatchObject({
      kind: "auth",
      message: expect.stringContaining("Set the variable GEMINI_API_KEY"),
    })
  })

  it("tells of models it has never heard of what their family can do", async () => {
    const { info } = await google({ apiKey: "k" }).model("gemini-5-neon")
    expect(info).toMatchObject({ limit: { context: 0 }, capabilities: { reasoning: true }, promptFamily: "gemini" })
    expect((await google({ apiKey: "k" }).model("gemini-2.0-flash")).info.capabilities.reasoning).toBe(false)
  })
})

describe("a request", () => {
  it("asks models that think for their thoughts, and others for none", async () => {
    const thoughts = { generationConfig: { thinkingConfig: { includeThoughts: true } } }
    expect(await sentTo("gemini-3.5-flash")).toMatchObject(thoughts)
    expect(await sentTo("gemini-2.0-flash")).not.toMatchObject(thoughts)
  })

  it.each(
    geminiModels.flatMap(({ id, variants = {} }) => Object.entries(variants).map((entry) => [id, ...entry] as const)),
  )("to %s with effort %s is one that the API takes", async (id, _effort, options) => {
    const thinkingConfig = { includeThoughts: true, ...(options["thinkingConfig"] as JSONObject) }
    expect(await sentTo(id, { settings: { options } })).toMatchObject({ generationConfig: { thinkingConfig } })
  })

  it("describes tools in words that Gemini knows, and leaves the tools as they are", async () => {
    const inputSchema = {
      type: "object",
      properties: { mode: { const: "fast" }, place: { $ref: "#/$defs/place" } },
      additionalProperties: false,
      $defs: { place: { type: ["string", "null"] } },
    }
    const tools = [{ name: "go", description: "Goes.", inputSchema }]
    const body = await sentTo("gemini-3.5-flash", { tools })
    expect(JSON.stringify(body["tools"])).not.toMatch(/\$ref|\$defs|additionalProperties|const/)
    expect(JSON.stringify(body["tools"])).toContain('"enum":["fast"]')
    expect(tools[0]?.inputSchema).toHaveProperty("$defs")
  })

  it("asks for JSON by a schema", async () => {
    const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] }
    const body = await sentTo("gemini-3.5-flash", { responseFormat: { schema }, tools: [] })
    expect(body).toMatchObject({ generationConfig: { responseMimeType: "application/json" } })
  })
})
