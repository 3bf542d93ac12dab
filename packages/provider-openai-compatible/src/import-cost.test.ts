import { loadedModules } from "@pawl/provider-testkit"
import { expect, it } from "vitest"

it("loads no SDK until something is asked", async () => {
  const script = `
    const provider = module.openAICompatible({ id: 'acme', baseURL: 'http://127.0.0.1:9/v1' })
    await provider.model("small")
  `
  const loaded = await loadedModules(new URL("./index.ts", import.meta.url).href, script)
  expect(loaded).toContainEqual(expect.stringContaining("provider-openai-compatible/src/index.ts"))
  expect(
    loaded.filter((url) =>
      /ai-sdk\/(?:provider-utils|anthropic|openai|google)|node_modules\/ai\/|\/zod\/|undici/.test(url),
    ),
  ).toEqual([])
})

it.each(["", 'models: [{ id: "small", middleware: [{ name: "extractReasoning" }] }]'])(
  "loads its SDK at the first request, and the one of middleware if a model has any: {%s}",
  async (more) => {
    const script = `
      const provider = module.openAICompatible({ id: "acme", baseURL: "http://127.0.0.1:9/v1", ${more} })
      const model = await provider.model("small")
      const request = { sessionID: "s", system: [], messages: [], tools: [], settings: {}, headers: {} }
      await model.stream(request, new AbortController().signal)[Symbol.asyncIterator]().next().catch(() => {})
    `
    const loaded = await loadedModules(new URL("./index.ts", import.meta.url).href, script)
    expect(loaded).toContainEqual(expect.stringContaining("/@ai-sdk/openai-compatible/"))
    expect(loaded.some((url) => url.includes("/node_modules/ai/"))).toBe(more !== "")
  },
)
