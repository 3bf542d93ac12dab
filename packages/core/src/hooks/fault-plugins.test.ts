import { call, finish, scriptedModel, text } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { probeTool, throughEveryHook } from "../../test/every-hook.ts"
import { hookMap, type HookName } from "../contracts/hook-map.ts"
import type { PluginHooks } from "./plugin.ts"
import type { PluginEntry } from "../plugin.ts"

const deadlines = { guardHook: 60, transformHook: 25 }
const names = Object.keys(hookMap) as HookName[]
const of = (kind: string) => names.filter((name) => hookMap[name].class === kind)

type Handler = (input: Record<string, unknown>, output: Record<string, unknown>) => unknown
const faults: Record<string, Handler> = {
  throws: () => {
    throw new Error("It is broken.")
  },
  rejects: () => Promise.reject(new Error("It is broken.")),
  hangs: () => new Promise(() => {}),
  "leaves nonsense": (_input, output) => {
    for (const key of Object.keys(output)) output[key] = [[["nonsense"]]]
    output["model"] = 7
  },
  "edits what it is told": (input) => {
    for (const value of Object.values(input))
      if (typeof value === "object") Object.assign(value as object, { sly: true })
    input["sly"] = true
  },
}
/** Nothing is read back of these, or anything is taken. */
const takesAll: readonly string[] = [...of("observer"), "config"]

describe.each(Object.entries(faults))("a plugin for each hook that %s", (fault, handler) => {
  it("keeps no session from its end, and is named with its hook; others take part", async () => {
    const hooked = [...of("transform"), ...of("observer")]
    const seen = new Set<string>()
    const good: PluginHooks = Object.fromEntries(hooked.map((name) => [name, () => void seen.add(name)]))
    const plugins: PluginEntry[] = hooked.map((name) => ({ id: `bad ${name}`, plugin: () => ({ [name]: handler }) }))
    const probing: PluginEntry = { id: "good", plugin: () => ({ ...good, tool: { probe: probeTool() } }) }
    const { test, result } = await throughEveryHook([...plugins, probing], { deadlines })
    expect(result).toMatchObject({ type: "answered" })
    await test[Symbol.asyncDispose]()

    expect([...seen].toSorted()).toEqual(hooked.toSorted())
    const told = test.events.flatMap(({ type, properties }) => {
      return type === "plugin.error" ? [`${properties.plugin} ${properties.message}`] : []
    })
    const failing = fault === "leaves nonsense" ? hooked.filter((name) => !takesAll.includes(name)) : hooked
    const isNamed = (name: string) => {
      return told.some((line) => line.startsWith(`bad ${name} Plugin "bad ${name}" failed in hook "${name}": `))
    }
    expect(failing.filter((name) => !isNamed(name))).toEqual([])
    const disabled = test.events.filter(({ type }) => type === "plugin.disabled")
    expect(disabled.every(({ properties }) => "plugin" in properties && properties.plugin.startsWith("bad "))).toBe(
      true,
    )
  })
})

describe.each(of("guard"))("a plugin whose guard %s", (name) => {
  it.each(Object.entries(faults))(
    "%s keeps the call from running, and the session goes on",
    async (_fault, handler) => {
      let runs = 0
      const model = scriptedModel([
        [call("look", {}), finish("tool-calls")],
        [text("It is guarded."), finish("stop")],
      ])
      await using test = await testEngine({
        model,
        deadlines,
        tools: [testTool("look", async () => String(++runs))],
        plugins: [{ id: "bad", plugin: () => ({ [name]: handler }) }],
        permission: [{ name: "test", rules: [{ permission: "look", pattern: "*", action: "ask" }] }],
        ask: async () => "once",
      })
      const { type } = await test.ask("Look.")
      const [part] = await test.parts("tool")
      // Any arguments may be given; the tool judges them.
      const isTaken = name === "tool.execute.before" && _fault === "leaves nonsense"
      expect(runs).toBe(isTaken ? 1 : 0)
      expect(type).toBe("answered")
      if (!isTaken)
        expect(part?.state).toMatchObject({ status: "error", error: expect.stringContaining(name) as string })
    },
  )
})

describe("what a plugin contributes", () => {
  it.each<[string, NonNullable<PluginHooks["tool"]>]>([
    ["throws", faults["throws"] as never],
    ["hangs", faults["hangs"] as never],
    ["gives nonsense", (() => ["nonsense"]) as never],
  ])("as tools, where it %s, leaves the others' tools", async (_fault, tool) => {
    const model = scriptedModel([
      [call("look", {}), finish("tool-calls")],
      [text("Fine."), finish("stop")],
    ])
    await using test = await testEngine({
      ...{ model, deadlines },
      plugins: [
        { id: "bad", plugin: () => ({ tool }) },
        { id: "good", plugin: () => ({ tool: () => ({ look: testTool("look", async () => "seen") }) }) },
      ],
    })
    expect(await test.ask("Look.")).toMatchObject({ type: "answered" })
    expect(await test.parts("tool")).toMatchObject([{ state: { output: "seen" } }])
    expect(test.events.find(({ type }) => type === "plugin.error")?.properties).toMatchObject({
      ...{ plugin: "bad", hook: "tool" },
    })
  })

  it("as commands, where it fails, leaves the others' commands", async () => {
    const expand = async () => []
    await using test = await testEngine({
      ...{ model: scriptedModel([]), deadlines },
      plugins: [
        { id: "throws", plugin: () => ({ command: faults["throws"] as never }) },
        { id: "hangs", plugin: () => ({ command: faults["hangs"] as never }) },
        { id: "nonsense", plugin: () => ({ command: (() => [1, null, { name: "x" }]) as never }) },
        { id: "good", plugin: () => ({ command: () => [{ name: "go", hints: ["where"], expand }] }) },
      ],
    })
    expect(await test.engine.plugins.commands()).toMatchObject([{ plugin: "good", name: "go", hints: ["where"] }])
    const told = test.events.flatMap(({ type, properties }) => (type === "plugin.error" ? [properties.plugin] : []))
    expect(told.toSorted()).toEqual(["hangs", "nonsense", "nonsense", "nonsense", "throws"])
  })

  it("is nothing where it cannot be read", async () => {
    const odd = Object.defineProperties(
      {},
      Object.fromEntries(names.map((name) => [name, { get: faults["throws"] as () => unknown }])),
    )
    const plugins = [{ id: "odd", plugin: () => Object.defineProperty(odd, "tool", { value: undefined }) }]
    const model = scriptedModel([[text("Fine."), finish("stop")]])
    await using test = await testEngine({ model, plugins })
    expect(await test.ask("Go")).toMatchObject({ type: "answered" })
    expect(test.engine.plugins.contributions("auth")).toEqual([])
  })
})

it("a plugin that leaves its timers running keeps nobody from closing the engine", async () => {
  const timers: NodeJS.Timeout[] = []
  const leaking: PluginEntry = { id: "leaking", plugin: () => (timers.push(setInterval(() => {}, 1)), {}) }
  const test = await testEngine({ model: scriptedModel([[text("Fine."), finish("stop")]]), plugins: [leaking] })
  expect(await test.ask("Go")).toMatchObject({ type: "answered" })
  await test.engine.close()
  for (const timer of timers) clearInterval(timer)
  expect(timers).toHaveLength(1)
})
