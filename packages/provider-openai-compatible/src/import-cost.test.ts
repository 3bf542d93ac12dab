import { loadedModules } from "@pawl/provider-testkit"
import { expect, it } from "vitest"

it("loads no SDK until something is asked", async () => {
  const script = `
    const provider = module.openAICompatible({ id: 'acme', baseURL: 'http://127.0.0.1:9/v1' })
    await provider.model("small")
  `
  const loaded = await loadedModules(new URL("./index.ts", import.meta.url).href, script)
  expect(loaded).toContainEqual(expect.stringContaining("provider-openai-compatible/src/index.ts"))
  expect(loaded.filter((url) => /ai-sdk\/(?:provider-utils|anthropic|openai|google)|\/zod\/|undici/.test(url))).toEqual(
    [],
  )
})

it("loads its SDK at the first request", async () => {
  const script = `
    const provider = module.openAICompatible({ ...{ id: 'acme', baseURL: 'http://127.0.0.1:9/v1' }, baseURL: "http://127.0.0.1:9/v1" })
    const model = await provider.model("small")
    const request = { sessionID: "s", system: [], messages: [], tools: [], settings: {}, headers: {} }
    await model.stream(request, new AbortController().signal)[Symbol.asyncIterator]().next().catch(() => {})
  `
  const loaded = await loadedModules(new URL("./index.ts", import.meta.url).href, script)
  expect(loaded).toContainEqual(expect.stringContaining("/@ai-sdk/openai-compatible/"))
})
