import { describe, expect, it } from "vitest"
import { answeringModel } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { dying } from "../../test/storages.ts"
import { toolScope } from "../../test/load-hooks.ts"
import { called, said } from "../../test/streaming-model.ts"
import { memoryStorage } from "@pawl/storage-memory"
import { defaultCalibration } from "../measure/calibration.ts"
import { createMeasure } from "../measure/measure.ts"
import type { ToolDefinition } from "../contracts/model.ts"
import type { PluginEntry } from "../plugin.ts"
import { deferTools } from "./deferred.ts"
import { createToolSet } from "./tool-set.ts"
import type { ToolPart } from "../record/message.ts"
import type { Tool } from "../contracts/tool.ts"

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
  const { info } = answeringModel(() => [])
  return deferTools(set, { info: { ...info, limit: { context, output: 0 } } })
}
function tokensOf(tools: readonly ToolDefinition[]) {
  const model = answeringModel(() => [])
  const { bytes } = createMeasure().request({ system: [], messages: [], tools }, model)
  return bytes.tools / defaultCalibration(model).bytesPerToken
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
    expect(names((await setOf(many, 0)).definitions)).toEqual(["read", "write", "tool_search", "call_tool"])
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
      for (const name of deferred) expect(definitions.at(-2)?.description).toContain(name)
    }
  })
})

/** Answers as it is told, request by request; then says that it is done. */
function scripted(...answers: ReturnType<typeof said>[]) {
  return answeringModel(({ n }) => answers[n] ?? said("Done."))
}
const ran = (n: number) => `${serverTools[n]} has run`
/** With a window that a few definitions exceed. */
const small = (model: ReturnType<typeof scripted>) =>
  Object.assign(model, { info: { ...model.info, limit: { context: 20_000, output: 0 } } })
const search = (query: string, id: string) => called("tool_search", { query }, id)

const through = (name: string, args: unknown, id: string) => called("call_tool", { name, arguments: args }, id)

describe("deferred tools of a session", () => {
  it("are found by words and by name, and run, while the tools of each request stay the same", async () => {
    const model = scripted(
      [search("delete thing 5", "call_1")],
      [search("select:server_create_thing_0, server_list_thing_1", "call_2")],
      [through("server_create_thing_0", '{"a":1}', "call_3")],
    )
    await using test = await testEngine({ model, tools: plain, plugins: [server(serverTools)] })
    expect(await test.ask("Go")).toMatchObject({ type: "answered" })

    expect(names(model.requests[0]?.tools ?? [])).toEqual(["read", "write", "tool_search", "call_tool"])
    for (const { tools } of model.requests) expect(tools).toBe(model.requests[0]?.tools)
    const [byWords, byName, run] = await test.parts("tool")
    expect(byWords?.state).toMatchObject({ metadata: { found: expect.arrayContaining(["server_delete_thing_5"]) } })
    const found = ["server_create_thing_0", "server_list_thing_1"]
    expect(byName?.state).toMatchObject({ metadata: { found } })
    const { output } = (byName as ToolPart).state as { output: string }
    const definition = (name: string) =>
      `<tool name="${name}">\n${about}\nParameters (JSON Schema): ${JSON.stringify(schema)}\n</tool>`
    expect(output.split("\n\n").slice(1)).toEqual(found.map(definition))
    expect(run).toMatchObject({ tool: "server_create_thing_0", state: { status: "completed", input: { a: 1 } } })
  })

  it("stand in later requests as the model called them", async () => {
    const model = scripted([through("server_create_thing_0", '{"a":1}', "call_1")], [called("read", {}, "call_2")])
    await using test = await testEngine({ model, tools: plain, plugins: [server(serverTools)] })
    await test.ask("Go")
    const [, call, result] = model.requests.at(-1)?.messages ?? []
    const input = { name: "server_create_thing_0", arguments: '{"a":1}' }
    expect(call?.content).toEqual([{ type: "tool-call", callID: "call_1", name: "call_tool", input }])
    expect(result?.content).toMatchObject([{ callID: "call_1", name: "call_tool", output: ran(0) }])
  })

  it("are judged, guarded and shown under their own names", async () => {
    const told: unknown[] = []
    const guard: PluginEntry = {
      id: "guard",
      plugin: () => ({
        "tool.execute.before": ({ tool }, { args }) => void told.push([tool, structuredClone(args)]),
        "tool.execute.after": ({ tool }, output) => void told.push([tool, output.output]),
      }),
    }
    const model = scripted(
      [through("server_create_thing_0", { a: 1 }, "call_1"), through("SERVER_DELETE_THING_5", "{}", "call_2")].flat(),
    )
    const permission = [{ permission: "server_delete_*", pattern: "*", action: "deny" as const }]
    const agents = [{ name: "build" }, { name: "strict", permission }]
    await using test = await testEngine({ model, agents, tools: plain, plugins: [server(serverTools), guard] })
    const parts = [{ type: "text", text: "Go" }] as const
    await test.engine.prompt({ sessionID: test.session.id, agent: "strict", parts })
    expect(told).toEqual(
      expect.arrayContaining([
        ["server_create_thing_0", { a: 1 }],
        ["server_create_thing_0", ran(0)],
      ]),
    )
    expect(await test.parts("tool")).toMatchObject([
      { tool: "server_create_thing_0", state: { status: "completed" } },
      {
        tool: "server_delete_thing_5",
        state: { status: "error", error: expect.stringMatching(/not allowed|denied|permission/i) },
      },
    ])
  })

  it.each([
    ["an unknown name", { name: "server_nothing", arguments: "{}" }, /no tool "server_nothing".*tool_search/],
    ["its own name", { name: "call_tool", arguments: "{}" }, /no tool "call_tool"/],
    ["no name", { arguments: "{}" }, /wants "name"/],
    ["a name that is no text", { name: 3, arguments: "{}" }, /wants "name"/],
    [
      "arguments that are not JSON",
      { name: "server_list_thing_1", arguments: "{a" },
      /server_list_thing_1 .* not JSON/,
    ],
  ])("are not called with %s, and the model reads why", async (_name, input, error) => {
    const model = scripted([called("call_tool", input, "call_1")])
    await using test = await testEngine({ model, tools: plain, plugins: [server(serverTools)] })
    expect(await test.ask("Go")).toMatchObject({ type: "answered" })
    expect(await test.parts("tool")).toMatchObject([
      { state: { status: "error", error: expect.stringMatching(error) } },
    ])
  })

  it("are called without arguments where there are none", async () => {
    const model = scripted([called("call_tool", { name: "server_list_thing_1" }, "call_1")])
    await using test = await testEngine({ model, tools: plain, plugins: [server(serverTools)] })
    await test.ask("Go")
    expect(await test.parts("tool")).toMatchObject([{ state: { status: "completed", input: {} } }])
  })

  it.each([
    ["ten at once", 400, 10],
    ["24,000 bytes", 5_000, 4],
  ])("are found up to %s, and the model reads which are not given, or not known", async (_name, bytes, given) => {
    const many = serverTools.slice(0, 12)
    const padded = (name: string) =>
      testTool(name, async () => "", { description: about + "x".repeat(bytes), deferrable: true })
    const tool = Object.fromEntries(
      [...serverTools, "a", "b", "c", "d", "e", "f", "g", "h"].map((name) => [name, padded(name)]),
    )
    const plugins: PluginEntry[] = [{ id: "server", plugin: () => ({ tool }) }]
    const model = small(scripted([search(`select:${many.join(",")},server_nothing,,`, "call_1")]))
    await using test = await testEngine({ model, tools: plain, plugins })
    await test.ask("Go")
    const [{ state } = {}] = await test.parts("tool")
    expect(state).toMatchObject({ metadata: { found: many.slice(0, given) } })
    const { output } = state as { output: string }
    for (const name of many.slice(given)) expect(output.match(/^Not given.*$/gm)?.join()).toContain(name)
    expect(output).toContain("Not in the list: server_nothing.")
  })

  it("with one definition above the limit are given all the same", async () => {
    const huge = { type: "object", properties: { a: { type: "string", description: "x".repeat(40_000) } } }
    const tool = testTool("server_huge", async () => "", { inputSchema: huge, deferrable: true })
    const plugin: PluginEntry = { id: "server", plugin: () => ({ tool: { server_huge: tool } }) }
    const model = scripted([search("select:server_huge", "call_1")])
    await using test = await testEngine({ model, tools: plain, plugins: [plugin] })
    await test.ask("Go")
    expect(await test.parts("tool")).toMatchObject([{ state: { metadata: { found: ["server_huge"] } } }])
  })

  it("run when they are called by their own names, without a search", async () => {
    const model = scripted([called("server_list_thing_1", {}, "call_1")])
    await using test = await testEngine({ model, tools: plain, plugins: [server(serverTools)] })
    await test.ask("Go")
    expect(await test.parts("tool")).toMatchObject([{ state: { output: "server_list_thing_1 has run" } }])
    expect(model.requests[1]?.messages[1]?.content).toMatchObject([{ name: "server_list_thing_1" }])
  })

  it("that are gone are not run any more", async () => {
    const model = scripted(
      [search("select:server_create_thing_0", "call_1")],
      [called("read", {}, "call_2")],
      [through("server_create_thing_0", "{}", "call_3")],
    )
    const reading = testTool("read", async () => {
      await test.engine.plugins.set([server(serverTools.slice(1))])
      return ""
    })
    await using test = await testEngine({ model, tools: [reading], plugins: [server(serverTools)] })
    await test.ask("Go")
    expect((await test.parts("tool")).at(-1)?.state).toMatchObject({
      error: expect.stringContaining('There is no tool "server_create_thing_0"') as string,
    })
  })

  it.each(["tool_search", "call_tool"])("are offered in full where %s is switched off", async (name) => {
    const model = scripted()
    const toolSwitches = () => ({ [name]: false })
    await using test = await testEngine({ model, toolSwitches, tools: plain, plugins: [server(serverTools)] })
    await test.ask("Go")
    expect(model.requests[0]?.tools).toHaveLength(62)
  })

  it("of which none fits are told so", async () => {
    const model = scripted([search("zzz", "call_1")], [called("tool_search", { query: " " }, "call_2")])
    await using test = await testEngine({ model, tools: plain, plugins: [server(serverTools)] })
    await test.ask("Go")
    const [none, empty] = await test.parts("tool")
    expect(none?.state).toMatchObject({ output: expect.stringContaining("Try other words") as string })
    expect(empty?.state).toMatchObject({ status: "error" })
  })

  it("run again after a crash as the tools that they are", async () => {
    const storage = memoryStorage()
    let isDead = false
    const plugin = (dies: boolean): PluginEntry => ({
      id: "server",
      plugin: () => ({
        tool: () =>
          Object.fromEntries(
            serverTools.map((name) => [
              name,
              testTool(
                name,
                async () => {
                  isDead ||= dies
                  return `${name} has run`
                },
                { description: about, inputSchema: schema, deferrable: true, effect: "idempotent" },
              ),
            ]),
          ),
      }),
    })
    const model = scripted([through("server_create_thing_0", '{"a":1}', "call_1")])
    const first = await testEngine({
      model,
      tools: plain,
      plugins: [plugin(true)],
      storage: dying(storage, () => isDead),
    })
    await first.ask("Go").catch(() => undefined)
    await first.engine.close()
    const { session } = first
    await using again = await testEngine({ model, storage, session, tools: plain, plugins: [plugin(false)] })
    expect(await again.engine.resume(session.id)).toMatchObject({ type: "answered" })
    expect(await again.parts("tool")).toMatchObject([
      { tool: "server_create_thing_0", state: { status: "completed", input: { a: 1 }, output: ran(0) } },
    ])
    expect(model.requests.at(-1)?.messages[1]?.content).toMatchObject([{ name: "call_tool" }])
  })
})

describe("the name of a deferrable tool", () => {
  it.each(["read", "READ", "tool_search", "call_tool"])(
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
