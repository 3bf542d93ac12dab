import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { answeringModel } from "../test/answering-model.ts"
import { createSettings } from "./settings.ts"
import { testEngine, testTool } from "../test/engine-fixture.ts"
import { called, said } from "../test/streaming-model.ts"
import type { Engine, EngineSettings } from "./index.ts"

/** A session of three steps; the settings change while the first is under way. */
async function changing(changes: Partial<EngineSettings>, more: Partial<EngineSettings> = {}) {
  const model = answeringModel(({ n }) => (n < 2 ? [called("look", { at: n }, `call_${n}`)] : said("Done.")))
  const held: { engine?: Engine } = {}
  const look = testTool("look", async (input) => {
    if (input["at"] === 0) held.engine?.update(changes)
    return "seen"
  })
  const { providers: _providers, model: _model, ...options } = more
  const test = await testEngine({ model, tools: [look], ...options })
  held.engine = test.engine
  await test.ask("Go")
  return { test, model }
}

it("settings that cannot be read are refused, and nothing changes", async () => {
  const model = answeringModel(() => said("Yes."))
  await using test = await testEngine({ model })
  const broken = { agents: 5, limits: { steps: 0 } } as unknown as Partial<EngineSettings>
  expect(() => test.engine.update(broken)).toThrow(TypeError)
  expect(await test.ask("Go")).toMatchObject({ type: "answered" })
})

describe("settings that change while a session runs", () => {
  it("that are the same as before leave the next request as it would have been", async () => {
    const { test, model } = await changing({ permission: [], limits: {} })
    const [first, second] = model.requests
    expect(second?.tools).toBe(first?.tools)
    expect(JSON.stringify(second?.system)).toBe(JSON.stringify(first?.system))
    expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages)
    await test[Symbol.asyncDispose]()
  })

  it("count at the next step: tools", async () => {
    const other = testTool("other", async () => "")
    const model = answeringModel(({ n }) => (n < 2 ? [called("look", { at: n }, `call_${n}`)] : said("Done.")))
    const look = testTool("look", async () => {
      test.engine.update({ tools: [look, other] })
      return "seen"
    })
    await using test = await testEngine({ model, tools: [look] })
    await test.ask("Go")
    expect(model.requests.map(({ tools }) => tools.length)).toEqual([1, 2, 2])
  })

  it("count at the next step: agents", async () => {
    const { test, model } = await changing({ agents: [{ name: "build", prompt: "You are another one." }] })
    expect(model.requests.map((request) => JSON.stringify(request).includes("You are another one."))).toEqual([
      false,
      true,
      true,
    ])
    expect(model.requests[2]?.system).toEqual(model.requests[0]?.system)
    await test[Symbol.asyncDispose]()
  })

  it("count at the next step: permissions", async () => {
    const rules = [{ permission: "look", pattern: "*", action: "deny" as const }]
    const { test, model } = await changing({ permission: [{ name: "new", rules }] })
    expect((await test.parts("tool")).map(({ state }) => state.status)).toEqual(["completed", "error"])
    expect(model.requests.map(({ tools }) => tools.length)).toEqual([1, 0, 0])
    await test[Symbol.asyncDispose]()
  })

  it("count at the next step: instruction files", async () => {
    const directory = await mkdtemp(join(tmpdir(), "pawl-settings-"))
    const file = join(directory, "more.md")
    await writeFile(file, "Speak in verse.")
    const { test, model } = await changing({ instructionFiles: [file] })
    expect(model.requests.map((request) => JSON.stringify(request).includes("Speak in verse."))).toEqual([
      false,
      true,
      true,
    ])
    await test[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  })

  it("count for the next prompt: the model and its provider", async () => {
    const first = answeringModel(() => said("First."), "first")
    const second = answeringModel(() => said("Second."), "second")
    await using test = await testEngine({ model: first })
    const provider = { id: "second", name: "Second", models: async () => [second.info], model: async () => second }
    test.engine.update({ providers: [provider], model: second.ref })
    const { id } = await test.engine.createSession({ directory: test.session.directory })
    await test.engine.prompt({ sessionID: id, parts: [{ type: "text", text: "Go" }] })
    expect([first.requests.length, second.requests.length]).toEqual([0, 1])
    await expect(
      test.engine.prompt({ sessionID: id, parts: [{ type: "text", text: "Go" }], model: first.ref }),
    ).rejects.toThrow("Known: second")
  })

  it("stay where they are not named", async () => {
    const { test, model } = await changing({ limits: { steps: 50 } }, { agents: [{ name: "build", prompt: "Mine." }] })
    expect(model.requests.map(({ system }) => system[0])).toEqual(["Mine.", "Mine.", "Mine."])
    await test[Symbol.asyncDispose]()
  })
})

const other = { providerID: "test", modelID: "other" }

it("keeps settings that were taken before a change, and gives the new ones to a copy of their reader", () => {
  const { update, ...live } = createSettings({ providers: [], fallback: [other] }, 0)
  const copy = { ...live }
  const before = copy.settings()
  update({ fallback: [], agents: [{ name: "poet" }] })
  expect([before.fallback, before.agents.has("poet")]).toEqual([[other], false])
  expect([copy.settings().fallback, copy.settings().agents.has("poet")]).toEqual([[], true])
  expect(copy.settings().version).toBeGreaterThan(before.version)
})
