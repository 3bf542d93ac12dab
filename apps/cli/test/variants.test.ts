import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { modelServer, reasoning, reply, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

const think = { thinking: { type: "enabled", budget_tokens: 16_000 } }

describe.each([
  { id: "anthropic", base: "/v1", model: "claude-opus-4-5", high: think },
  { id: "openai", base: "/v1", model: "gpt-5.1", high: { reasoning: { effort: "high", summary: "auto" } } },
  {
    ...{ id: "google", base: "/v1beta", model: "gemini-3.5-flash" },
    high: { generationConfig: { thinkingConfig: { thinkingLevel: "high", includeThoughts: true } } },
  },
  { id: "openai-compatible", base: "/v1", model: "large", high: { reasoning_effort: "high" } },
])("a variant of a model of $id", ({ id, base, model, high }) => {
  async function work(more: object = {}) {
    const server = await modelServer({ replies: () => reply(reasoning("Let me see."), text("Hi.")) })
    const here = await desk()
    const options = { baseURL: `${server.origin}${base}`, apiKey: "k" }
    const models = id === "openai-compatible" ? { models: { [model]: { reasoning: true } } } : {}
    const provider = { here: { npm: `@ai-sdk/${id}`, options, ...models } }
    await writeFile(
      join(here.configuration, "pawl.jsonc"),
      JSON.stringify({ model: `here/${model}`, provider, ...more }),
    )
    return { server, ...here, [Symbol.asyncDispose]: () => server.close() }
  }

  it("is asked for over its API, stays with the session, and is shown", async () => {
    await using here = await work()
    const first = await here.pawl("run", "--variant", "high", "--thinking", "hi")
    const second = await here.pawl("run", "-c", "--format", "json", "--thinking", "again")
    const third = await here.pawl("run", "-c", "--variant", "default", "and again")

    expect([first.code, second.code, third.code]).toEqual([0, 0, 0])
    const bodies = here.server.requests.map(({ body }) => body)
    expect(bodies[0]).toMatchObject(high)
    expect(bodies[1]).toMatchObject(high)
    expect(bodies[2]).not.toMatchObject(high)
    expect(first.stderr).toContain("Let me see.")
    expect(first.stderr).toContain(`here/${model} high`)
    const lines = jsonLines(second.stdout)
    expect(lines.find(({ type }) => type === "step_start")).toMatchObject({ model: `here/${model}`, variant: "high" })
    expect(lines.find(({ type }) => type === "reasoning")).toMatchObject({ part: { text: "Let me see." } })
    expect(third.stderr).not.toContain("Let me see.")
    const shown = await here.pawl("session", "show", "--format", "json")
    const variants = jsonLines(shown.stdout).map(({ info }) => (info as { variant?: string }).variant)
    expect(variants).toEqual(["high", "high", "high", "high", "default", undefined])
  })

  it("is refused before anything is stored where the model does not have it", async () => {
    await using here = await work()
    const { code, stderr } = await here.pawl("run", "--variant", "turbo", "hi")
    expect(code).toBe(2)
    expect(stderr).toMatch(
      new RegExp(`--variant is "turbo"\\. Model "here/${model}" has no variant "turbo"\\. Known: .*low.*high.*default`),
    )
    expect(await here.sessions()).toEqual([])
    expect(here.server.requests).toEqual([])
  })
})

describe("the configuration", () => {
  async function work(config: object) {
    const server = await modelServer({ replies: () => reply(text("Hi.")) })
    const here = await desk()
    const variants = { high: { disabled: true }, quick: { reasoningEffort: "minimal", verbosity: "low" } }
    const provider = { here: { options: { baseURL: server.url }, models: { large: { reasoning: true, variants } } } }
    await writeFile(
      join(here.configuration, "pawl.jsonc"),
      JSON.stringify({ model: "here/large", provider, ...config }),
    )
    return { server, ...here, [Symbol.asyncDispose]: () => server.close() }
  }

  it("has variants of its own, and takes some away", async () => {
    await using here = await work({})
    expect(await here.pawl("run", "--variant", "quick", "hi")).toMatchObject({ code: 0 })
    expect(here.server.requests[0]?.body).toMatchObject({ reasoning_effort: "minimal", verbosity: "low" })
    expect((await here.pawl("run", "--variant", "high", "hi")).stderr).toContain("Known: low, medium, quick, default.")
  })

  it("chooses them for agents and commands; what is typed goes before", async () => {
    const agent = { build: { variant: "low" } }
    const command = { fix: { template: "Fix $1", variant: "medium" } }
    await using here = await work({ agent, command })
    await here.pawl("run", "hi")
    await here.pawl("run", "/fix it")
    await here.pawl("run", "--variant", "quick", "/fix it")
    const efforts = here.server.requests.map(({ body }) => (body as { reasoning_effort: string }).reasoning_effort)
    expect(efforts).toEqual(["low", "medium", "minimal"])
  })

  it("may name a variant that the model lacks: the nearest is used, which is said", async () => {
    await using here = await work({ agent: { build: { variant: "max" } } })
    const { code, stderr } = await here.pawl("run", "hi")
    expect(code).toBe(0)
    expect(stderr).toContain('Model "here/large" has no variant "max": "medium" is used, which is the nearest.')
    expect(here.server.requests[0]?.body).toMatchObject({ reasoning_effort: "medium" })
  })
})
