import { describe, expect, it } from "vitest"
import { answeringModel } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { called, said } from "../../test/streaming-model.ts"
import { ToolInputError } from "../base/errors.ts"
import type { PluginEntry } from "../plugin.ts"

/** Takes `{ path: string }` alone. */
const look = testTool("look", async ({ path }) => `saw ${String(path)}`, {
  parse(input) {
    const { path } = (input ?? {}) as { path?: unknown }
    if (typeof path !== "string") throw new ToolInputError("path: must be a text. Correct it and call again.")
    return { path }
  },
})

/** A turn whose first answer calls `look`, with these plugins, by id. */
async function looking(
  plugins: Readonly<Record<string, object>>,
  more: Partial<PluginEntry> & { input?: unknown } = {},
) {
  const { input = { path: "a" }, ...entry } = more
  const model = answeringModel(({ request }) =>
    request.messages.at(-1)?.role === "tool" ? said("Done.") : [called("look", input as object)],
  )
  const entries = Object.entries(plugins).map(([id, hooks]) => ({ ...entry, id, plugin: () => hooks }))
  await using test = await testEngine({ model, tools: [look], plugins: entries })
  await test.ask("Look")
  const [part] = await test.parts("tool")
  const told = test.events.flatMap((event) => (event.type === "plugin.error" ? event.properties : []))
  const notices = test.events.flatMap((event) => (event.type === "session.notice" ? event.properties.message : []))
  const counts = test.engine.plugins.report().map(({ id, calls, disabledIn }) => ({ id, calls, disabledIn }))
  return { state: part?.state, told, notices, counts, sent: JSON.stringify(model.requests) }
}

const before = (handler: unknown) => ({ "tool.execute.before": handler })

describe("a guard that is wrong", () => {
  const locate = (error: unknown) => (error instanceof TypeError ? { file: "/p/guard.ts", line: 7 } : undefined)

  it.each<[string, () => unknown]>([
    ["reads what is not there", () => (undefined as unknown as { x: { y: string } }).x.y],
    ["names what is not there", () => (globalThis as never as { missing(): void }).missing()],
  ])("and %s refuses the call, with file and line, and counts", async (_what, handler) => {
    const { state, told, counts } = await looking({ guarding: before(handler) }, { locate })

    expect(state).toMatchObject({ status: "error", error: expect.stringContaining("(/p/guard.ts:7)") as string })
    expect(told).toMatchObject([{ plugin: "guarding", hook: "tool.execute.before" }])
    expect(told[0]?.message).toContain("(/p/guard.ts:7)")
    expect(counts).toMatchObject([{ calls: { "tool.execute.before": { count: 1, failures: 1 } } }])
  })

  it("about a file that it cannot read is no refusal either", async () => {
    const missing = Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT", syscall: "open" })
    const { told, counts } = await looking({
      guarding: before(() => {
        throw missing
      }),
    })

    expect(told).toMatchObject([{ plugin: "guarding" }])
    expect(counts).toMatchObject([{ calls: { "tool.execute.before": { failures: 1 } }, disabledIn: [] }])
  })

  it("is told apart from one that refuses", async () => {
    const refusing = before(() => {
      throw new Error("Not this file.")
    })
    const { state, told, counts } = await looking({ refusing }, { locate: () => ({ file: "/p/guard.ts", line: 7 }) })

    expect(state).toMatchObject({ error: 'Plugin "refusing" failed in hook "tool.execute.before": Not this file.' })
    expect(told).toEqual([])
    expect(counts).toMatchObject([{ calls: { "tool.execute.before": { failures: 0 } } }])
  })
})

it("names file and line of what fails in other hooks, and where a plugin does not start", async () => {
  const failing = () => {
    throw new Error("no")
  }
  const locate = () => ({ file: "/p/late.ts", line: 3 })
  const { told } = await looking({ failing: { "tool.execute.after": failing } }, { locate })
  const model = answeringModel(() => said("Yes."))
  await using test = await testEngine({ model })
  const problems = await test.engine.plugins.set([{ id: "p", plugin: failing, locate }])

  expect(told[0]?.message).toBe('Plugin "failing" failed in hook "tool.execute.after": no (/p/late.ts:3)')
  expect(problems[0]?.message).toBe('Plugin "p" failed in hook "start": no (/p/late.ts:3)')
})

describe("arguments that a plugin has spoiled", () => {
  const edits = (change: (args: Record<string, unknown>) => unknown) =>
    before((_input: unknown, output: { args: unknown }) => {
      output.args = change(output.args as Record<string, unknown>)
    })
  const quiet = edits((args) => ({ ...args, more: 1 }))

  it.each<[string, unknown]>([
    ["of another kind", { path: 7 }],
    ["none", null],
    ["a text", "a"],
  ])("are told of by its name, and not as the model's mistake: %s", async (_what, args) => {
    const { state, told, counts, sent } = await looking({ first: quiet, spoiler: edits(() => args), last: quiet })

    const reason = /Plugin "spoiler" .* changed the arguments of this call into what look does not take: path: must be/
    expect(state).toMatchObject({ status: "error", error: expect.stringMatching(reason) as string })
    const blame = "The model's own arguments were valid: the plugin has to be corrected, not the call."
    expect(sent).not.toContain("saw")
    expect(sent).toContain(blame)
    expect(state).toMatchObject({ error: expect.stringContaining(blame) as string })
    expect(told).toMatchObject([{ plugin: "spoiler", message: expect.stringMatching(reason) as string }])
    expect(told[0]?.message).toContain(blame)
    expect(counts.map(({ id, calls }) => [id, calls["tool.execute.before"]?.failures])).toEqual([
      ["first", 0],
      ["spoiler", 1],
      ["last", 0],
    ])
  })

  it("were mended by an earlier plugin, and are not called the model's", async () => {
    const { state } = await looking(
      { mending: edits(() => ({ path: "a" })), spoiler: edits(() => ({ path: 7 })) },
      { input: { path: 5 } },
    )

    const reason = /Plugin "spoiler" [^]*The arguments were valid before: the plugin has to be corrected/
    expect(state).toMatchObject({ error: expect.stringMatching(reason) as string })
  })

  it.each(["permissions", "execute"] as const)("are told of where only `%s` finds a fault in them", async (at) => {
    const refuse = (): never => {
      throw new ToolInputError('There is no agent "b".')
    }
    const tool = testTool("look", async () => "seen", { [at]: refuse })
    const model = answeringModel(({ request }) =>
      request.messages.at(-1)?.role === "tool" ? said("Done.") : [called("look", { path: "a" })],
    )
    const plugins = [{ id: "editor", plugin: () => edits(() => ({ path: "b" })) as object }]
    await using test = await testEngine({ model, tools: [tool], plugins })
    await test.ask("Look")

    const error = 'There is no agent "b".\nThe arguments of this call were changed by the plugin "editor".'
    expect((await test.parts("tool"))[0]?.state).toMatchObject({ status: "error", error })
  })

  it("were the model's own mistake where they did not fit before", async () => {
    const { state, told } = await looking({ p: quiet }, { input: { path: 7 } })

    expect(state).toMatchObject({ error: "path: must be a text. Correct it and call again." })
    expect(told).toEqual([])
  })
})

describe("what a handler returns", () => {
  it.each<[string, unknown]>([
    ["a text", () => "deny"],
    ["arguments in place of the draft", () => ({ path: "b" })],
    ["a list", async () => [1]],
    ["a function", () => () => undefined],
  ])("refuses the call where it is nonsense of a guard: %s", async (_what, handler) => {
    // `args` may be anything, so that an object with it is a draft.
    const { state, counts } = await looking({ p: before(handler) })

    const reason = /it returned .*, which is no output of this hook: return nothing, or an object with all of args/
    expect(state).toMatchObject({ status: "error", error: expect.stringMatching(reason) as string })
    expect(counts).toMatchObject([{ calls: { "tool.execute.before": { failures: 1 } } }])
  })

  it("is reported of others, and what they did to the draft counts", async () => {
    const after = (_input: unknown, output: { output: string }) => {
      output.output += " well"
      return { output: 5 }
    }
    const { state, told } = await looking({ p: { "tool.execute.after": after } })

    expect(state).toMatchObject({ status: "completed", output: "saw a well" })
    expect(told).toMatchObject([
      { plugin: "p", message: expect.stringContaining('it returned {"output":5}') as string },
    ])
  })

  it.each<[string, (output: { output: string; metadata: Record<string, unknown> }) => unknown]>([
    ["an assignment", (output) => (output.output = "other")],
    ["an assignment of an object", (output) => (output.metadata = { deep: { a: 1 } })],
    ["a part of it", (output) => Object.assign(output.metadata, { a: 1 })],
    ["a number", (output) => Object.keys(output).length],
    ["a flag", (output) => delete output.metadata["a"]],
    ["nothing to speak of", () => null],
    ["an instance of a class", () => new Map()],
    ["the whole of it", (output) => output],
  ])("may be what an expression comes to: %s", async (_what, handler) => {
    const { told, counts } = await looking({
      p: { "tool.execute.after": (_input: unknown, output: never) => handler(output) },
    })

    expect(told).toEqual([])
    expect(counts).toMatchObject([{ calls: { "tool.execute.after": { failures: 0 } } }])
  })
})

describe("what a plugin returns in place of a hook", () => {
  const expecting = (hook: string, found: string) => [hook, `expected a function, found ${found}`]
  const method = { type: "oauth", label: "Browser", authorize: async () => ({}) }

  it.each<[string, unknown, readonly string[]]>([
    ["tool.execute.before", "string", expecting("tool.execute.before", '"string"')],
    ["experimental.chat.system.transform", 5, expecting("chat.system.transform", "5")],
    ["config", {}, expecting("config", "an object")],
    ["event", [], expecting("event", "a list")],
    ["dispose", true, expecting("dispose", "true")],
    ["command", { hail: {} }, expecting("command", "an object")],
    ["tool", 5, ["tool", '"tool" cannot be read: give an object of tools by name instead of 5.']],
    ["tool", { x: 3 }, ["tool", '"x" cannot be offered as a tool: give an object instead of 3.']],
    ["auth", 7, ["auth", "expected an object, found 7"]],
    ["auth", { provider: 1 }, ["auth", "expected its `provider` to be a text, found 1"]],
    ["auth", { provider: "p", methods: {} }, ["auth", "expected its `methods` to be a list, found an object"]],
    ["auth", { provider: "p", loader: "x" }, ["auth", 'expected its `loader` to be a function, found "x"']],
    [
      "auth",
      { provider: "p", methods: [method, { type: "oauth", label: "Code" }] },
      ["auth", "sign-in method 2 is left out: expected its `authorize` to be a function, found nothing"],
    ],
    ["provider", { id: "p", models: 1 }, ["provider", "expected its `models` to be a function, found 1"]],
    ["resource", { list: () => [] }, ["resource", "expected its `read` to be a function, found nothing"]],
  ])("is reported by plugin and hook when the plugin starts: %s is %j", async (name, value, [hook, message]) => {
    const { told, counts } = await looking({ p: { [name]: value } })

    expect(told[0]).toMatchObject({ plugin: "p", hook, message: `Plugin "p" failed in hook "${hook}": ${message}` })
    expect(counts).toMatchObject([{ id: "p" }])
  })

  it.each(["text", 5, [1], () => ({})])("is reported if it is no object: %s", async (given) => {
    const { state, told } = await looking({ p: given as object })

    expect(state).toMatchObject({ status: "completed" })
    expect(told).toMatchObject([{ plugin: "p", hook: "start", message: expect.stringContaining("expected an object") }])
  })

  it("is no contribution for those who read it", async () => {
    const plugins = [
      { id: "wrong", plugin: () => ({ auth: 7, resource: {}, provider: "p" }) as object },
      { id: "right", plugin: () => ({ auth: { provider: "p" } }) },
    ]
    await using test = await testEngine({ model: answeringModel(() => said("Yes.")), plugins })
    const { plugins: control } = test.engine

    expect(control.contributions("auth")).toMatchObject([{ plugin: "right" }])
    expect([...control.contributions("resource"), ...control.contributions("provider")]).toEqual([])
    expect(control.report()).toMatchObject([{ hooks: [] }, { hooks: ["auth"] }])
  })

  it.each([undefined, null, false])("may be %s", async (none) => {
    const names = ["tool.execute.before", "tool", "auth", "provider", "resource", "command", "config"]
    const { state, told } = await looking({ p: Object.fromEntries(names.map((name) => [name, none])) })

    expect(state).toMatchObject({ status: "completed" })
    expect(told).toEqual([])
  })

  it("is reported by the plugin itself through `problem`", async () => {
    const plugin: PluginEntry["plugin"] = ({ problem }) => {
      problem("tool", "ticket needs an option `server`")
      return {}
    }
    await using test = await testEngine({ model: answeringModel(() => said("Yes.")), plugins: [{ id: "p", plugin }] })

    expect(test.events).toContainEqual(
      expect.objectContaining({
        type: "plugin.error",
        properties: expect.objectContaining({ plugin: "p", message: expect.stringContaining("needs an option") }),
      }),
    )
  })
})

describe("a name that is not a hook", () => {
  it("is told of when the plugin starts, with the one that was meant", async () => {
    const { notices, told } = await looking({
      p: {
        "tool.execute.befor": () => undefined,
        "experimental.chat.mesage": () => undefined,
        helper: 1,
        event: () => 1,
      },
    })

    expect(told.map(({ hook, message }) => [hook, message])).toEqual([
      [
        "tool.execute.before",
        expect.stringContaining('"tool.execute.befor" is not a hook; did you mean "tool.execute'),
      ],
      [
        "chat.message",
        expect.stringContaining('"experimental.chat.mesage" is not a hook; did you mean "chat.message"?'),
      ],
    ])
    expect(notices).toEqual(['Plugin "p": "helper" is not a hook, and nothing calls it.'])
  })

  it("may be a member of a class, unless it is nearly one", async () => {
    class Hooks {
      state = 1
      tools = {}
      event() {}
    }
    const { notices, told } = await looking({ p: new Hooks() })
    expect(told).toMatchObject([{ message: expect.stringContaining('"tools" is not a hook; did you mean "tool"?') }])
    expect(notices).toEqual([])
  })
})
