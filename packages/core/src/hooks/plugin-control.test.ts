import { call, finish, scriptedModel, text } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { createCallCounts } from "./call-counts.ts"
import { type PluginHooks } from "./plugin.ts"
import { definePlugin, isPawlPlugin, type PluginEntry } from "../plugin.ts"

const entry = (id: string, hooks: PluginHooks): PluginEntry => ({ id, plugin: () => hooks })
const engineWith = (...plugins: PluginEntry[]) => testEngine({ model: scriptedModel([]), plugins })

describe("the configuration", () => {
  it("is what the plugins make of it in turn; the given one stays as it was", async () => {
    await using test = await engineWith(
      entry("a", { config: (_input, output) => void (output["agent"] = { a: { prompt: "A." } }) }),
      entry("b", { config: (_input, output) => void Object.assign(output["agent"] as object, { b: {} }) }),
    )
    const given = { model: "acme/large" }
    expect(await test.engine.plugins.config(given)).toEqual({ ...given, agent: { a: { prompt: "A." }, b: {} } })
    expect(given).toEqual({ model: "acme/large" })
  })
})

describe("contributions", () => {
  it("are read in the plugins' order, with who made them", async () => {
    const [one, two] = [{ provider: "one" }, { provider: "two" }]
    await using test = await engineWith(entry("a", { auth: one }), entry("none", {}), {
      ...entry("b", { auth: two }),
      priority: 1,
    })
    expect(test.engine.plugins.contributions("auth")).toEqual([
      { plugin: "b", value: two },
      { plugin: "a", value: one },
    ])
    expect(test.engine.plugins.contributions("provider")).toEqual([])
  })

  it("as commands expand to the parts of a prompt", async () => {
    class Commands {
      readonly #greeting = "Hello"
      command() {
        const expand = async (args: string) => [{ type: "text" as const, text: `${this.#greeting} ${args}` }]
        return [{ name: "greet", description: "Greets.", expand }]
      }
    }
    await using test = await engineWith(entry("a", new Commands()))
    const [command] = await test.engine.plugins.commands()
    expect(command).toMatchObject({ plugin: "a", name: "greet", description: "Greets." })
    expect(await command?.expand("you", new AbortController().signal)).toEqual([{ type: "text", text: "Hello you" }])
  })
})

describe("the report", () => {
  it("lists hooks, tools, calls, failures and the sessions where a plugin is disabled", async () => {
    const model = scriptedModel([
      [text("One."), call("look", {}), finish("tool-calls")],
      [text("Two."), call("look", { at: 2 }), finish("tool-calls")],
      [text("Three."), finish("stop")],
    ])
    const broken = () => {
      throw new Error("broken")
    }
    await using test = await testEngine({
      model,
      plugins: [
        entry("good", {
          "tool.execute.before": () => {},
          "experimental.chat.system.transform": () => {},
          tool: { look: testTool("look", async () => "seen"), off: undefined },
        }),
        entry("bad", { "text.complete": broken }),
        { id: "missing", plugin: broken },
      ],
    })
    await test.ask("Go")
    const [good, bad, missing] = test.engine.plugins.report()
    expect(good).toMatchObject({
      ...{ id: "good", hooks: ["tool.execute.before", "chat.system.transform", "tool"], tools: 1, disabledIn: [] },
      calls: { "tool.execute.before": { count: 2, failures: 0 }, "chat.system.transform": { count: 3, failures: 0 } },
    })
    expect(good?.calls["tool.execute.before"]?.p95).toBeGreaterThan(0)
    expect(bad).toMatchObject({ calls: { "text.complete": { count: 3, failures: 3 } }, disabledIn: [test.session.id] })
    expect(missing).toMatchObject({ id: "missing", hooks: [], problem: expect.stringContaining("broken") as string })
  })

  it("names what keeps a new version from taking its place", async () => {
    await using test = await engineWith(entry("a", { auth: { provider: "a" } }))
    await test.engine.plugins.set([{ id: "a", plugin: () => Promise.reject(new Error("a typo")) }])
    expect(test.engine.plugins.report()).toMatchObject([
      { id: "a", hooks: ["auth"], problem: expect.stringContaining("typo") as string },
    ])
  })

  it("takes no more room the more calls there are, and looks at the newest", () => {
    const counts = createCallCounts()
    for (let n = 0; n < 10_000; n++) counts.add("event", 1_000, n % 2 === 0)
    for (let n = 1; n <= 256; n++) counts.add("event", n, false)
    expect(counts.all()).toEqual({ event: { count: 10_256, failures: 5_000, p95: 244 } })
  })
})

it("reports commands that cannot be read, and has none of that plugin", async () => {
  const bad = Object.defineProperty({}, "name", {
    get() {
      throw new Error("broken")
    },
  })
  const good = { name: "good", expand: async () => [] }
  const hooks = [entry("a", { command: () => [good, bad as never] }), entry("b", { command: () => [good] })]
  await using test = await engineWith(...hooks)
  expect(await test.engine.plugins.commands()).toMatchObject([{ plugin: "b", name: "good" }])
  expect(test.events).toMatchObject([{ type: "plugin.error", properties: { plugin: "a", hook: "command" } }])
})

it("reports, once, what is no command, and has the others", async () => {
  const good = { name: "good", expand: async () => [] }
  const hooks = [
    entry("a", { command: () => [good, { name: "bad" } as never, "worse" as never] }),
    entry("b", { command: () => "none" as never }),
    entry("c", { command: () => undefined as never }),
  ]
  await using test = await engineWith(...hooks)
  await test.engine.plugins.commands()
  expect(await test.engine.plugins.commands()).toMatchObject([{ plugin: "a", name: "good" }])
  const message = (words: string) => ({ properties: { message: expect.stringContaining(words) as string } })
  expect(test.events).toMatchObject([
    message('Plugin "a" failed in hook "command": its command 2 cannot be used'),
    message("its command 3 cannot be used"),
    message('Plugin "b" failed in hook "command": it gave no list of commands'),
  ])
})

it("knows plugins that were made by `definePlugin`, of any copy of this package", () => {
  const plugin = definePlugin(() => ({}))
  expect(isPawlPlugin(plugin)).toBe(true)
  expect(isPawlPlugin(Object.assign(() => ({}), { [Symbol.for("pawl.plugin")]: 1 }))).toBe(true)
  expect([isPawlPlugin(() => ({})), isPawlPlugin({}), isPawlPlugin(undefined)]).toEqual([false, false, false])
})
