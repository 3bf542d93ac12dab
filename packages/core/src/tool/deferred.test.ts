import { describe, expect, it } from "vitest"
import { answeringModel } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { toolScope } from "../../test/load-hooks.ts"
import { called, said } from "../../test/streaming-model.ts"
import { memoryStorage } from "@pawl/storage-memory"
import { defaultCalibration } from "../context/tokens/calibration.ts"
import { createMeasure } from "../context/tokens/measure.ts"
import type { ToolDefinition } from "../provider/model.ts"
import type { PluginEntry } from "../hooks/plugin.ts"
import { deferTools, loadedTools } from "./deferred.ts"
import { createToolSet } from "./tool-set.ts"
import type { Tool } from "./tool.ts"

const about = "Does what its name says, with a description that goes on for a while as those of servers do."
const schema = {
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [
      `field_${n}`,
      { type: "string", description: `Of the ${n}th kind. ${about}` },
    ]),
  ),
}
const served = (name: string, deferrable = true): Tool =>
  testTool(name, async () => `${name} has run`, { description: about, inputSchema: schema, deferrable })
const serverTools = Array.from({ length: 60 }, (_, n) => `server_${["create", "list", "delete"][n % 3]}_thing_${n}`)
const server = (names: readonly string[], deferrable = true): PluginEntry => ({
  id: "server",
  plugin: () => ({ tool: () => Object.fromEntries(names.map((name) => [name, served(name, deferrable)])) }),
})
const plain = [testTool("read", async () => ""), testTool("write", async () => "")]
const names = (definitions: readonly ToolDefinition[]) => definitions.map(({ name }) => name)

async function setOf(tools: readonly Tool[], context: number) {
  const none = { tools: async () => [], transform: async (_name: string, _input: unknown, draft: unknown) => draft }
  const set = await createToolSet(none as never, tools, toolScope())
  const { info, ref } = answeringModel(() => [])
  return deferTools(set, { ref, info: { ...info, limit: { context, output: 0 } } })
}
function tokensOf(tools: readonly ToolDefinition[]) {
  const model = answeringModel(() => [])
  const { bytes } = createMeasure().request({ system: [], messages: [], tools }, model)
  return bytes.tools / defaultCalibration(model.ref).bytesPerToken
}

describe("definitions that take too much room", () => {
  it("are past a tenth of the window, or 10,000 tokens", async () => {
    const tools = [...plain, ...serverTools.slice(0, 12).map((name) => served(name))]
    const tokens = tokensOf((await setOf(tools, 0)).definitions)
    expect(tokens).toBeLessThan(10_000)
    expect(names((await setOf(tools, tokens * 10 + 100)).definitions)).not.toContain("tool_search")
    expect(names((await setOf(tools, tokens * 9)).definitions)).toContain("tool_search")
    const many = [...plain, ...serverTools.map((name) => served(name))]
    expect(tokensOf(many)).toBeGreaterThan(10_000)
    expect(names((await setOf(many, 0)).definitions)).toEqual(["read", "write", "tool_search"])
  })

  it("stay where a search would take more room than what it stands in for", async () => {
    const fixed = serverTools.slice(0, 12).map((name) => served(name, false))
    const small = testTool("small", async () => "", { deferrable: true })
    expect(names((await setOf([...fixed, small], 1_000)).definitions)).toContain("small")
  })

  it("stay where they may not be deferred", async () => {
    const tools = serverTools.map((name) => served(name, false))
    expect((await setOf(tools, 20_000)).definitions).toHaveLength(60)
  })

  it("cost at most 30 tokens for each tool that is deferred, whatever it is called", async () => {
    const long = serverTools.map((name, n) => `${name}_${"long".repeat(10)}_${n}`.slice(0, 64))
    for (const deferred of [serverTools, long, serverTools.slice(0, 6)]) {
      const { definitions } = await setOf([...plain, ...deferred.map((name) => served(name))], 1_000)
      const cost = tokensOf(definitions) - tokensOf(plain)
      expect(cost / deferred.length).toBeLessThanOrEqual(30)
      for (const name of deferred) expect(definitions.at(-1)?.description).toContain(name)
    }
  })
})

/** Answers as it is told, request by request; then says that it is done. */
function scripted(...answers: ReturnType<typeof said>[]) {
  return answeringModel(({ n }) => answers[n] ?? said("Done."))
}
const search = (query: string, id: string) => called("tool_search", { query }, id)

describe("deferred tools of a session", () => {
  it("are found by words and by name, appended in the order of loading, and run", async () => {
    const model = scripted(
      [search("delete thing 5", "call_1")],
      [search("select:server_create_thing_0, server_list_thing_1", "call_2")],
      [called("server_create_thing_0", {}, "call_3")],
    )
    await using test = await testEngine({ model, tools: plain, plugins: [server(serverTools)] })
    expect(await test.ask("Go")).toMatchObject({ type: "answered" })

    const offered = model.requests.map(({ tools }) => names(tools))
    expect(offered[0]).toEqual(["read", "write", "tool_search"])
    expect(offered[1]?.[3]).toBe("server_delete_thing_5")
    expect(offered[2]).toEqual([...(offered[1] ?? []), "server_create_thing_0", "server_list_thing_1"])
    expect(offered[3]).toEqual(offered[2])
    for (const [n, { tools }] of model.requests.entries()) {
      const before = model.requests[n - 1]?.tools ?? []
      expect(JSON.stringify(tools.slice(0, before.length))).toBe(JSON.stringify(before))
    }
    const parts = await test.parts("tool")
    expect(parts.at(-1)?.state).toMatchObject({ status: "completed", output: "server_create_thing_0 has run" })
    // The next request has the definitions.
    const listed = ["server_create_thing_0", "server_list_thing_1"].map((name) => `${name}: ${about}`)
    expect(parts[1]?.state).toMatchObject({ output: expect.stringMatching(`:\n${listed.join("\n")}$`) as string })
    expect(model.requests[3]?.tools).toBe(model.requests[2]?.tools)
  })

  it("move the tools of a request once for all that one answer loads, in the order of its calls", async () => {
    const wanted = ["server_list_thing_1", "server_create_thing_0", "server_delete_thing_5", "server_list_thing_4"]
    const model = scripted(
      [
        search(`select:${wanted.slice(0, 3).join(",")}`, "call_1"),
        search(`select:${wanted[3]},${wanted[0]}`, "call_2"),
      ].flat(),
      [called("read", {}, "call_3")],
    )
    await using test = await testEngine({ model, tools: plain, plugins: [server(serverTools)] })
    await test.ask("Go")
    const [first, second, third] = model.requests.map(({ tools }) => tools)
    expect(names(second ?? [])).toEqual([...names(first ?? []), ...wanted])
    expect(third).toBe(second)
  })

  it("are loaded up to ten at once, and the model reads which are not, or not known", async () => {
    const many = serverTools.slice(0, 12)
    const model = scripted([search(`select:${many.join(",")},server_nothing,,`, "call_1")])
    await using test = await testEngine({ model, tools: plain, plugins: [server(serverTools)] })
    await test.ask("Go")
    expect(names(model.requests[1]?.tools ?? []).slice(3)).toEqual(many.slice(0, 10))
    const [{ state } = {}] = await test.parts("tool")
    const notes = [
      `Not loaded, as at most 10 are at once: ${many.slice(10).join(", ")}.`,
      "Not in the list: server_nothing.",
    ]
    expect(state).toMatchObject({ output: expect.stringContaining(notes.join("\n")) as string })
  })

  it("stay loaded after a restart and in a fork", async () => {
    const storage = memoryStorage()
    const loading = scripted([search("select:server_list_thing_1", "call_1")])
    const test = await testEngine({ model: loading, storage, tools: plain, plugins: [server(serverTools)] })
    await test.ask("Go")
    const fork = await test.engine.forkSession({ sessionID: test.session.id })
    await test.engine.close()

    const model = scripted()
    const again = await testEngine({
      ...{ model, storage, session: test.session, tools: plain, plugins: [server(serverTools)] },
    })
    await again.ask("Go on")
    await again.engine.prompt({ sessionID: fork.id, parts: [{ type: "text", text: "Go on" }] })
    await again[Symbol.asyncDispose]()
    for (const { tools } of model.requests)
      expect(names(tools)).toEqual(["read", "write", "tool_search", "server_list_thing_1"])
    expect(model.requests).toHaveLength(2)
  })

  it("go with the calls that a compaction takes out of the context", async () => {
    const model = scripted([search("select:server_list_thing_1", "call_1")])
    await using test = await testEngine({ model, tools: plain, plugins: [server(serverTools)] })
    await test.ask("Go")
    const set = await setOf([...plain, ...serverTools.map((name) => served(name))], 0)
    const messages = await test.messages()
    expect(names(loadedTools(set, messages).definitions).at(-1)).toBe("server_list_thing_1")
    expect(loadedTools(set, messages.slice(2))).toBe(set)
  })

  it("are loaded by a call that the model makes without having searched", async () => {
    const model = scripted([called("server_list_thing_1", {}, "call_1")])
    await using test = await testEngine({ model, tools: plain, plugins: [server(serverTools)] })
    await test.ask("Go")
    expect(await test.parts("tool")).toMatchObject([{ state: { output: "server_list_thing_1 has run" } }])
    expect(names(model.requests[1]?.tools ?? []).at(-1)).toBe("server_list_thing_1")
  })

  it("that are gone are not offered any more, and others not in their place", async () => {
    const loading = [search("select:server_create_thing_0,server_list_thing_1", "call_1")]
    const model = answeringModel(({ n }) => {
      if (n === 0) return loading
      return n === 1 ? [called("read", {}, "call_2")] : said("Done.")
    })
    const rest = serverTools.slice(1)
    const reading = testTool("read", async () => {
      await test.engine.plugins.set([server(rest)])
      return ""
    })
    await using test = await testEngine({ model, tools: [reading], plugins: [server(serverTools)] })
    await test.ask("Go")
    expect(names(model.requests[1]?.tools ?? [])).toContain("server_create_thing_0")
    expect(names(model.requests[2]?.tools ?? [])).toEqual(["read", "tool_search", "server_list_thing_1"])
  })

  it("are offered in full where the search is switched off", async () => {
    const model = scripted()
    const toolSwitches = () => ({ tool_search: false })
    await using test = await testEngine({ model, toolSwitches, tools: plain, plugins: [server(serverTools)] })
    await test.ask("Go")
    expect(model.requests[0]?.tools).toHaveLength(62)
  })

  it("of which none fits are not loaded, and the model reads what to do", async () => {
    const model = scripted([search("zzz", "call_1")], [called("tool_search", { query: " " }, "call_2")])
    await using test = await testEngine({ model, tools: plain, plugins: [server(serverTools)] })
    await test.ask("Go")
    const [none, empty] = await test.parts("tool")
    expect(none?.state).toMatchObject({ output: expect.stringContaining("Try other words") as string })
    expect(empty?.state).toMatchObject({ status: "error" })
    expect(model.requests[2]?.tools).toHaveLength(3)
  })
})

describe("the name of a deferrable tool", () => {
  it.each(["read", "READ", "tool_search"])(
    "%s never takes the place of another tool, which is told once",
    async (name) => {
      const model = scripted([called("read", {}, "call_1")])
      const read = testTool("read", async () => "the built-in one")
      await using test = await testEngine({ model, tools: [read], plugins: [server([name])] })
      await test.ask("Go")
      await test.ask("Again")
      expect(await test.parts("tool")).toMatchObject([{ state: { output: "the built-in one" } }])
      expect(names(model.requests[0]?.tools ?? [])).toEqual(["read"])
      const told = test.events.flatMap(({ type, properties }) => (type === "plugin.error" ? [properties] : []))
      expect(told).toMatchObject([{ plugin: "server", hook: "tool", message: expect.stringContaining(name) as string }])
    },
  )

  it("gives way to a plugin's tool that is not deferrable, whoever comes first", async () => {
    const own: PluginEntry = {
      id: "own",
      plugin: () => ({ tool: { fetch: testTool("fetch", async () => "of the plugin") } }),
    }
    for (const plugins of [
      [server(["fetch"]), own],
      [own, server(["fetch"])],
    ]) {
      const model = scripted([called("fetch", {}, "call_1")])
      await using test = await testEngine({ model, plugins })
      await test.ask("Go")
      expect(await test.parts("tool")).toMatchObject([{ state: { output: "of the plugin" } }])
    }
  })
})
