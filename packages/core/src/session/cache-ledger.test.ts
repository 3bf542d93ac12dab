import { describe, expect, it } from "vitest"
import { type TestEngine, testEngine } from "../../test/engine-fixture.ts"
import { storages } from "../../test/storages.ts"
import { look, looking, windowModel } from "../../test/window-model.ts"
import { definePlugin, type PluginEntry } from "../hooks/plugin.ts"

const busts = ({ events }: TestEngine) =>
  events.flatMap((event) => (event.type === "cache.bust" ? [event.properties] : []))

describe("a conversation whose requests begin like the ones before", () => {
  it.each(storages)("breaks no cache over steps, prompts and a restart, over $name", async ({ open }) => {
    const storage = await open()
    const model = windowModel({ context: 1_000_000, agent: looking(3) })
    const first = await testEngine({ model, tools: [look], storage })
    await first.ask("One?")
    await first.ask("Two?")
    await first.engine.close()
    await using second = await testEngine({ model, tools: [look], storage, session: first.session })
    await second.ask("Three?")
    expect([...busts(first), ...busts(second)]).toEqual([])
    const steps = await second.parts("step-finish")
    expect(steps.map(({ prefix }) => prefix?.steps)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1))
  })
})

describe("a cache that breaks", () => {
  it("names the compaction that broke it, once", async () => {
    const model = windowModel({ context: 20_000, agent: looking(30) })
    await using test = await testEngine({ model, tools: [look], compaction: { soft: 1 } })
    await test.ask("Look everywhere.")
    const compactions = test.events.filter(({ type }) => type === "session.compacted").length
    expect(compactions).toBeGreaterThan(0)
    expect(busts(test).map(({ reason, owner }) => [reason, owner])).toEqual(
      Array.from({ length: compactions }, () => ["compaction", "compaction"]),
    )
  })

  it("names the plugin that changed the system prompt, and the block", async () => {
    let n = 0
    const clock: PluginEntry = {
      id: "clock",
      plugin: definePlugin(() => ({
        "chat.system.transform": (_input, output) => void output.system.splice(1, 0, `It is ${n++} o'clock.`),
      })),
    }
    const model = windowModel({ context: 1_000_000, agent: looking(2) })
    await using test = await testEngine({ model, tools: [look], plugins: [clock] })
    await test.ask("One?")
    expect(busts(test)).toMatchObject([
      { reason: "system", firstChangedBlock: "system[1]", owner: "plugin clock" },
      { reason: "system", firstChangedBlock: "system[1]", owner: "plugin clock" },
    ])
    const { cache } = await test.engine.context(test.session.id)
    expect(cache).toMatchObject({ requests: 3, busts: [{ owner: "plugin clock" }, { firstChangedBlock: "system[1]" }] })
  })

  it("names the plugin that changed an earlier message", async () => {
    let n = 0
    const editor: PluginEntry = {
      id: "editor",
      plugin: definePlugin(() => ({
        "chat.messages.transform": (_input, output) => {
          const part = output.messages[0]?.parts[0]
          if (part?.type === "text") part.text = `${part.text} (${n++})`
        },
      })),
    }
    const model = windowModel({ context: 1_000_000, agent: looking(1) })
    await using test = await testEngine({ model, tools: [look], plugins: [editor] })
    await test.ask("One?")
    expect(busts(test)).toMatchObject([
      { reason: "messages", firstChangedBlock: "messages[0]", owner: "plugin editor" },
    ])
  })

  it("names another agent", async () => {
    const model = windowModel({ context: 1_000_000, agent: looking(1) })
    await using test = await testEngine({ model, tools: [look] })
    await test.ask("One?")
    const parts = [{ type: "text", text: "Two?" }] as const
    await test.engine.prompt({ sessionID: test.session.id, parts, agent: "plan" })
    expect(busts(test)).toMatchObject([])
    const other = [{ name: "review", prompt: "You review." }]
    await using again = await testEngine({
      model,
      tools: [look],
      agents: other,
      storage: test.storage,
      session: test.session,
    })
    await again.engine.prompt({ sessionID: test.session.id, parts, agent: "review" })
    expect(busts(again)).toMatchObject([{ reason: "system", firstChangedBlock: "system[0]", owner: "agent" }])
  })
})
