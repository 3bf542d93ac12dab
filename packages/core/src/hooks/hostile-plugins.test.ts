import { describe, expect, it } from "vitest"
import { answeringModel } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { called, said } from "../../test/streaming-model.ts"
import type { EngineEvent } from "../contracts/events.ts"
import type { PluginHooks } from "./plugin.ts"
import type { PluginEntry } from "../plugin.ts"

const deadlines = { guardHook: 60, transformHook: 40 }
const model = () =>
  answeringModel(({ request }) => (request.messages.at(-1)?.role === "tool" ? said("Done.") : [called("look")]))
const tools = [testTool("look", async () => "seen")]
const entry = (hooks: PluginHooks, id = "hostile"): PluginEntry => ({ id, plugin: () => hooks })

/** What is told of plugins, as `plugin hook: words`. */
function told(events: readonly EngineEvent[]): string[] {
  return events.flatMap(({ type, properties }) =>
    type === "plugin.error" ? [`${properties.plugin} ${properties.hook}: ${properties.message}`] : [],
  )
}

it("one that never comes to the end of its `dispose` is named, and keeps neither its successor nor the engine", async () => {
  const test = await testEngine({
    model: model(),
    deadlines,
    plugins: [entry({ dispose: () => new Promise(() => {}) })],
  })
  await test.engine.plugins.set([entry({ dispose: () => new Promise(() => {}) })])
  await expect.poll(() => told(test.events)).toEqual([expect.stringMatching(/^hostile dispose: .*longer than 40 ms/)])
  await test[Symbol.asyncDispose]()
  expect(told(test.events)).toHaveLength(2)
})

describe("what is thrown", () => {
  const odd: [string, unknown, string][] = [
    ["a text", "no more paint", "no more paint"],
    ["undefined", undefined, "undefined"],
    ["null", null, "null"],
    ["a symbol", Symbol("why"), "Symbol(why)"],
    ["an object", { code: 7 }, '{"code":7}'],
    ["an object without words", Object.create(null), ""],
    [
      "an error whose words throw",
      Object.defineProperty(new Error("x"), "message", {
        get: () => {
          throw new Error("y")
        },
      }),
      "",
    ],
  ]
  it.each(odd)("may be %s: plugin and hook are named all the same", async (_what, thrown, words) => {
    const raise = (): never => {
      throw thrown
    }
    const hooks = { "chat.system.transform": raise, "tool.execute.before": raise }
    await using test = await testEngine({ model: model(), tools, plugins: [entry(hooks)] })
    expect(await test.ask("Look")).toMatchObject({ type: "answered" })
    expect(told(test.events)[0]).toContain("hostile chat.system.transform: ")
    expect(told(test.events)[0]).toContain(words)
    const [part] = await test.parts("tool")
    expect(part?.state).toMatchObject({
      error: expect.stringContaining('"hostile" failed in hook "tool.execute.before"'),
    })
  })

  it("at the start names the plugin, and leaves the others", async () => {
    const hostile: PluginEntry = { id: "hostile", plugin: () => Promise.reject("not today") }
    await using test = await testEngine({ model: model(), tools, plugins: [hostile, entry({}, "good")] })
    expect(await test.ask("Look")).toMatchObject({ type: "answered" })
    expect(test.engine.plugins.report()).toMatchObject([{ id: "good" }, { id: "hostile", problem: /not today/ }])
  })
})

it("what one freezes, empties or keeps of what it is handed reaches nobody else", async () => {
  const keep: { parts?: unknown[] }[] = []
  const freeze = (_input: object, output: object): void => {
    for (const value of Object.values(output)) Object.freeze(value)
    Object.freeze(output)
  }
  const hooks: PluginHooks = {
    "chat.message": (_input, output) => (keep.push(output), freeze({}, output)),
    "chat.messages.transform": freeze,
    "chat.system.transform": freeze,
    "tool.execute.before": freeze,
    "tool.execute.after": freeze,
  }
  const adds: PluginHooks = {
    "chat.system.transform": (_input, output) => void output.system.push("Added."),
    "tool.execute.after": (_input, output) => void (output.output += " twice"),
  }
  const asked = model()
  await using test = await testEngine({ model: asked, tools, plugins: [entry(hooks), entry(adds, "good")] })
  expect(await test.ask("Look")).toMatchObject({ type: "answered" })
  expect(told(test.events)).toEqual([])
  expect(asked.requests.every(({ system }) => system.includes("Added."))).toBe(true)
  expect(await test.parts("tool")).toMatchObject([{ state: { output: "seen twice" } }])
})

describe("what everything in the process relies on", () => {
  it("is named with the plugin that replaces it when it starts", async () => {
    const { fetch } = globalThis
    // oxlint-disable-next-line typescript/unbound-method -- put back below as it was
    const { then } = Promise.prototype
    const replacing: PluginEntry = {
      id: "hostile",
      plugin() {
        globalThis.fetch = () => Promise.reject(new Error("No network."))
        Reflect.set(Promise.prototype, "then", function (this: Promise<unknown>, ...given: unknown[]) {
          return Reflect.apply(then, this, given) as unknown
        })
        return {}
      },
    }
    try {
      await using test = await testEngine({ model: model(), tools, plugins: [replacing] })
      expect(await test.ask("Look")).toMatchObject({ type: "answered" })
      await test.engine.plugins.set([{ ...replacing }])
      const notices = test.events.flatMap(({ type, properties }) =>
        type === "session.notice" ? [properties.message] : [],
      )
      for (const name of ["fetch", "Promise.prototype.then"])
        expect(notices).toContain(`Plugin "hostile" has replaced ${name} for everything in this process.`)
    } finally {
      globalThis.fetch = fetch
      Reflect.set(Promise.prototype, "then", then)
    }
  })

  it("is not spoken of where nothing is replaced", async () => {
    await using test = await testEngine({ model: model(), tools, plugins: [entry({})] })
    expect(test.events.filter(({ type }) => type === "session.notice")).toEqual([])
  })
})
