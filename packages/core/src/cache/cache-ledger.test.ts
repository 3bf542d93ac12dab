import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { type TestEngine, testEngine, testTool } from "../../test/engine-fixture.ts"
import { storages, temporaryDirectory } from "../../test/storages.ts"
import { look, looking, windowModel } from "../../test/window-model.ts"
import type { Session } from "../record/message.ts"
import { definePlugin, type PluginEntry } from "../plugin.ts"

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

  it("names an agent whose prompt is too long for a reminder", async () => {
    const model = windowModel({ context: 1_000_000, agent: looking(1) })
    await using test = await testEngine({ model, tools: [look] })
    await test.ask("One?")
    const parts = [{ type: "text", text: "Two?" }] as const
    await test.engine.prompt({ sessionID: test.session.id, parts, agent: "plan" })
    expect(busts(test)).toMatchObject([])
    const other = [{ name: "review", prompt: "You review. ".repeat(5_000) }]
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

  it.each([
    ["too long for a reminder", 500, 50],
    ["too long to be stored", 5_000_000, 10_000],
  ])("names instructions that are %s", async (_name, bytes, times) => {
    const directory = await temporaryDirectory()
    const storage = memoryStorage()
    const model = windowModel({ context: 1_000_000, agent: looking(0) })
    const found: object[] = []
    let session: Session | undefined
    for (const word of ["tabs", "spaces"]) {
      await writeFile(join(directory, "AGENTS.md"), `Use ${word}. `.repeat(times))
      const about = { model, storage, outputLimits: { lines: 100, bytes } }
      const test = await testEngine({ ...about, session: session ?? ({ directory } as Session) })
      session ??= await test.engine.createSession({ directory })
      await test.engine.prompt({ sessionID: session.id, parts: [{ type: "text", text: "Go on." }] })
      await test.engine.close()
      found.push(...busts(test))
    }
    expect(found).toMatchObject([{ reason: "system", firstChangedBlock: "system[1]", owner: "instructions" }])
  })

  it("names the reminder of the last step, which is in no other request", async () => {
    const model = windowModel({ context: 1_000_000, agent: looking(0) })
    const agents = [{ name: "build", steps: 1 }]
    await using test = await testEngine({ model, agents })
    await test.ask("One?")
    await test.ask("Two?")
    await test.ask("Three?")
    expect(busts(test)).toMatchObject([
      { reason: "messages", owner: "reminder" },
      { reason: "messages", owner: "reminder" },
    ])
  })

  it("names the plugin that edits a tool's definition, also after a restart, and the one whose tool has changed", async () => {
    let n = 0
    const editor: PluginEntry = {
      id: "editor",
      plugin: definePlugin(() => ({
        "tool.definition": (_input, output) => void (output.description += ` Edition ${n}.`),
      })),
    }
    const idle: PluginEntry = { id: "idle", plugin: definePlugin(() => ({ "tool.definition": () => undefined })) }
    const offering: PluginEntry = {
      id: "offering",
      plugin: definePlugin(() => ({ tool: () => ({ own: { ...look, description: `Looks, edition ${n}.` } }) })),
    }
    const model = windowModel({ context: 1_000_000, agent: looking(1) })
    const change = testTool("look", async () => {
      n++
      await test.engine.plugins.set([editor, idle, offering].map((entry) => ({ ...entry })))
      return "ok"
    })
    const storage = memoryStorage()
    const plugins = [editor, idle]
    await using test = await testEngine({ model, tools: [change], storage, plugins })
    await test.ask("One?")
    n++
    await using again = await testEngine({ model, tools: [look], storage, plugins, session: test.session })
    await again.ask("Two?")
    const owners = [test, again].map((each) => busts(each).map(({ reason, owner }) => `${reason}: ${owner}`))
    expect(owners).toEqual([["tools: plugin editor, offering"], ["tools: plugin editor"]])
  })
})
