import { call, finish, scriptedModel, text } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { probeTool, throughEveryHook } from "../../test/every-hook.ts"
import { ToolInputError } from "../base/errors.ts"
import { hookMap, type HookName } from "./hook-map.ts"
import { type PluginHooks } from "../hooks/plugin.ts"
import { definePlugin } from "../plugin.ts"
import { type HookInput } from "./hooks.ts"

describe("each hook", async () => {
  const { seen, order, test } = await runTurnWithEveryHook()

  it.each(Object.keys(hookMap))("%s is reached, with the documented input", (name) => {
    const input = seen.get(name)
    expect(input, `nothing calls ${name}`).toBeDefined()
    expect(hookMap[name as HookName].input.safeParse(input).error).toBeUndefined()
  })

  it.each(Object.keys(hookMap))("%s is told which session is the topmost", (name) => {
    const { input } = hookMap[name as HookName]
    if ("rootSessionID" in input.shape) expect(seen.get(name)).toMatchObject({ rootSessionID: test.session.id })
    expect("sessionID" in input.shape).toBe("rootSessionID" in input.shape && name !== "event")
  })

  it("comes at its place in a turn", () => {
    const once = order.filter((name, index) => name !== "event" && order.indexOf(name) === index)
    expect(once.slice(0, 3)).toEqual(["tool", "command.execute.before", "chat.message"])
    const readAgain = order.indexOf("tool", order.indexOf("chat.message"))
    expect(readAgain).toBeGreaterThan(0)
    expect(readAgain).toBeLessThan(order.indexOf("chat.params"))
    expect(order.indexOf("tool.execute.before")).toBeLessThan(order.indexOf("permission.ask"))
    expect(order.indexOf("permission.ask")).toBeLessThan(order.indexOf("tool.execute.after"))
    expect(order.indexOf("tool.execute.after")).toBeLessThan(order.indexOf("session.compacting"))
    expect(order.indexOf("session.compacting")).toBeLessThan(order.indexOf("compaction.autocontinue"))
    expect(order.indexOf("compaction.autocontinue")).toBeLessThan(order.indexOf("session.compacted"))
    expect(order.lastIndexOf("chat.params")).toBeGreaterThan(order.indexOf("session.compacted"))
    expect(order.at(-1)).toBe("dispose")
  })
})

describe("tool.execute.before and after", () => {
  it.each<[string, HookInput<"tool.execute.after">["status"], PluginHooks]>([
    ["completed", "completed", {}],
    ["failed", "error", {}],
    ["unknown", "error", {}],
    ["unparsable", "error", {}],
    ["denied", "denied", {}],
    [
      "guarded",
      "denied",
      {
        "tool.execute.before": ({ tool }) => {
          if (tool === "guarded") throw new Error("Not this one.")
        },
      },
    ],
    ["late", "timeout", {}],
  ])("fire exactly once for a call that is %s, with status %s", async (name, status, more) => {
    const model = scriptedModel([
      [call(name, {}), finish("tool-calls")],
      [text("Ok."), finish("stop")],
    ])
    const fired: string[] = []
    const hooks: PluginHooks = {
      "tool.execute.before": (input, output) => {
        fired.push(`before ${input.callID}`)
        return more["tool.execute.before"]?.(input, output)
      },
      "tool.execute.after": ({ callID, status: ended }) => void fired.push(`after ${callID} ${ended}`),
    }
    await using test = await testEngine({
      model,
      tools: outcomes(),
      plugins: [{ id: "probe", plugin: () => hooks }],
      permission: [{ name: "test", rules: [{ permission: "denied", pattern: "*", action: "deny" }] }],
      deadlines: { tool: 200 },
    })

    expect((await test.ask("Go")).type).toBe("answered")

    const [part] = await test.parts("tool")
    expect(fired).toEqual([`before ${part?.callID}`, `after ${part?.callID} ${status}`])
  })

  it("run, store and show the model what a plugin made of arguments and output", async () => {
    const model = scriptedModel([
      [call("say", { word: "no" }), finish("tool-calls")],
      [text("Ok."), finish("stop")],
    ])
    const plugin = definePlugin(() => ({
      "tool.execute.before": (_input, output) => void (output.args = { word: "yes" }),
      "tool.execute.after": (_input, output) => void (output.output += "!"),
    }))
    await using test = await testEngine({ model, tools: outcomes(), plugins: [{ id: "edits", plugin }] })

    await test.ask("Go")

    expect(await test.parts("tool")).toMatchObject([{ state: { input: { word: "yes" }, output: "said yes!" } }])
    expect(JSON.stringify(model.requests[1]?.messages)).toContain("said yes!")
  })

  it("refuse a call whose guard fails, and say which plugin and hook", async () => {
    const model = scriptedModel([
      [call("say", {}), finish("tool-calls")],
      [text("Ok."), finish("stop")],
    ])
    const plugin = definePlugin(() => ({
      "tool.execute.before": () => {
        throw new Error("Not on Sundays.")
      },
    }))
    await using test = await testEngine({ model, tools: outcomes(), plugins: [{ id: "sunday", plugin }] })

    await test.ask("Go")

    expect(await test.parts("tool")).toMatchObject([
      { state: { status: "error", error: expect.stringMatching(/"sunday".*"tool.execute.before".*Not on Sundays/) } },
    ])
  })
})

it("goes on without a transform that fails, and reports it", async () => {
  const plugin = definePlugin(() => ({
    "text.complete": () => {
      throw new Error("Oops.")
    },
  }))
  await using test = await testEngine({
    model: scriptedModel([[text("Fine."), finish("stop")]]),
    plugins: [{ id: "broken", plugin }],
  })

  expect((await test.ask("Go")).type).toBe("answered")
  expect(test.events.find(({ type }) => type === "plugin.error")?.properties).toMatchObject({
    plugin: "broken",
    hook: "text.complete",
  })
})

it("offers a plugin's tool in place of the built-in one", async () => {
  const model = scriptedModel([
    [call("say", {}), finish("tool-calls")],
    [text("Ok."), finish("stop")],
  ])
  const plugin = definePlugin(() => ({ tool: { say: testTool("ignored", async () => "said by the plugin") } }))
  await using test = await testEngine({ model, tools: outcomes(), plugins: [{ id: "voice", plugin }] })

  await test.ask("Go")

  expect(await test.parts("tool")).toMatchObject([{ state: { output: "said by the plugin" } }])
})

it("answers prompts although a plugin offers no tool under a name", async () => {
  const plugin = definePlugin(() => ({ tool: { maybe: undefined, broken: {} as never } }))
  const model = scriptedModel([[text("Fine."), finish("stop")]])
  await using test = await testEngine({ model, plugins: [{ id: "acme", plugin }] })

  expect((await test.ask("Go")).type).toBe("answered")
  expect(test.events.filter(({ type }) => type === "plugin.error")).toMatchObject([
    { properties: { plugin: "acme", hook: "tool", message: expect.stringContaining('"broken"') as string } },
  ])
})

it("runs what was authorized, whatever a plugin does to its draft while the question is open", async () => {
  const model = scriptedModel([
    [call("say", { word: "no" }), finish("tool-calls")],
    [text("Ok."), finish("stop")],
  ])
  const kept = { word: "ls" }
  const plugin = definePlugin(() => ({ "tool.execute.before": (_input, output) => void (output.args = kept) }))
  await using test = await testEngine({
    model,
    tools: outcomes(),
    plugins: [{ id: "acme", plugin }],
    permission: [{ name: "test", rules: [{ permission: "say", pattern: "*", action: "ask" }] }],
    ask: async () => {
      kept.word = "rm -rf /"
      return "once"
    },
  })

  await test.ask("Go")

  expect(await test.parts("tool")).toMatchObject([{ state: { input: { word: "ls" }, output: "said ls" } }])
})

function outcomes() {
  return [
    testTool("say", async ({ word }) => `said ${String(word)}`),
    testTool("completed", async () => "done"),
    testTool("denied", async () => "done"),
    testTool("guarded", async () => "done"),
    testTool("failed", async () => Promise.reject(new Error("failed"))),
    testTool(
      "late",
      (_input, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
    ),
    testTool("unparsable", async () => "done", {
      parse: () => {
        throw new ToolInputError("Wrong.")
      },
    }),
  ]
}

/** What each hook was told the first time, and the order in which they were called. */
async function runTurnWithEveryHook() {
  const seen = new Map<string, unknown>()
  const order: string[] = []
  const note = (name: string, input: unknown) => {
    order.push(name)
    if (!seen.has(name)) seen.set(name, input)
  }
  const isCalled = (name: string) => hookMap[name as HookName].class !== "contribution"
  const called = Object.keys(hookMap).filter((name) => isCalled(name))
  const hooks = Object.fromEntries(called.map((name) => [name, (input: unknown) => note(name, input)]))
  const tool = {
    get probe() {
      note("tool", {})
      return probeTool()
    },
  }
  const { test } = await throughEveryHook([{ id: "probe", plugin: () => contributing({ ...hooks, tool }, note) }])
  await test[Symbol.asyncDispose]()
  return { seen, order, test }
}

/** Hooks that tell when what they contribute is read. */
function contributing(hooks: PluginHooks, note: (name: string, input: unknown) => void): PluginHooks {
  const names = Object.keys(hookMap).filter((name) => {
    return name !== "tool" && hookMap[name as HookName].class === "contribution"
  })
  for (const name of names) Object.defineProperty(hooks, name, { get: () => note(name, {}) })
  return hooks
}
