import { describe, expect, it } from "vitest"
import { answeringModel } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { called, said } from "../../test/streaming-model.ts"
import type { PluginEntry } from "../plugin.ts"

const model = () =>
  answeringModel(({ request }) =>
    request.messages.at(-1)?.role === "tool" ? said("Done.") : [called("look", { n: 1 })],
  )
const look = testTool("look", async ({ n }) => `looked ${String(n)}`)
const entry = (id: string, hooks: object): PluginEntry => ({ id, plugin: () => hooks })
const broken = (): never => {
  throw new Error("broken")
}

function toolWith(more: PropertyDescriptorMap): object {
  return Object.defineProperties({ ...look }, more)
}
const cyclic: Record<string, unknown> = { type: "object" }
cyclic["self"] = cyclic

describe("a tool that cannot be read is left out, reported, and the others are offered:", () => {
  const tools: [string, object][] = [
    ["a getter that throws", toolWith({ deadline: { get: broken } })],
    ["a schema that contains itself", toolWith({ inputSchema: { value: cyclic } })],
    ["a schema that is no JSON", toolWith({ inputSchema: { value: { most: 1n } } })],
    ["a schema that is a list", toolWith({ inputSchema: { value: [] } })],
    ["a schema that says it is a number", toolWith({ inputSchema: { value: { toJSON: () => 5 } } })],
    ["a permission without a name", toolWith({ permission: { value: 7 } })],
  ]
  it.each(tools)("%s", async (_what, odd) => {
    const plugins = [entry("odd", { tool: { odd } }), entry("odd-function", { tool: () => ({ odd }) })]
    await using test = await testEngine({ model: model(), plugins, tools: [look] })
    expect(await test.ask("Look")).toMatchObject({ type: "answered" })
    expect(test.events.filter(({ type }) => type === "plugin.error")).toMatchObject([
      { properties: { plugin: "odd", hook: "tool", message: expect.stringContaining('"odd" cannot be offered') } },
      { properties: { plugin: "odd-function", hook: "tool" } },
    ])
  })

  it("a getter of the table itself, which may throw only later", async () => {
    let reads = 0
    const table = Object.defineProperty({ look }, "late", {
      enumerable: true,
      get: () => (reads++ > 0 ? broken() : look),
    })
    const plugins = [entry("static", { tool: table }), entry("function", { tool: () => table })]
    await using test = await testEngine({ model: model(), plugins })
    expect(await test.ask("Look")).toMatchObject({ type: "answered" })
    expect(await test.parts("tool")).toMatchObject([{ state: { output: "looked 1" } }])
  })
})

it("what a plugin does to the schema of its tool later changes nothing of what is offered", async () => {
  const inputSchema = { type: "object", properties: {} as Record<string, unknown> }
  const asked = model()
  const after = () => void (inputSchema.properties["late"] = { type: "string" })
  const hooks = { tool: { look: { ...look, inputSchema } }, "tool.execute.after": after }
  await using test = await testEngine({ model: asked, plugins: [entry("late", hooks)] })
  await test.ask("Look")
  expect(asked.requests.map(({ tools }) => JSON.stringify(tools))).toEqual([
    JSON.stringify(asked.requests[0]?.tools),
    JSON.stringify(asked.requests[0]?.tools),
  ])
})

it.each<[string, (input: Record<string, unknown>) => void]>([
  ["changes it", (input) => (input["n"] = 2)],
  ["puts what cannot be stored into it", (input) => Object.assign(input, { self: input, work: () => 1 })],
])("a call is stored as it was made where its tool %s", async (_what, change) => {
  const tool = testTool("look", async (input) => {
    change(input)
    return "ok"
  })
  await using test = await testEngine({ model: model(), tools: [tool] })
  expect(await test.ask("Look")).toMatchObject({ type: "answered" })
  expect(await test.parts("tool")).toMatchObject([{ state: { status: "completed", input: { n: 1 } } }])
  expect((await test.parts("tool"))[0]?.state.input).toEqual({ n: 1 })
})
