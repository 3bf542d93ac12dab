import { describe, expect, it } from "vitest"
import { answeringModel } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { called, said } from "../../test/streaming-model.ts"

const model = () =>
  answeringModel(({ request }) => (request.messages.at(-1)?.role === "tool" ? said("Done.") : [called("look")]))
const asks = [{ name: "test", rules: [{ permission: "look", pattern: "*", action: "ask" as const }] }]
const unreadable = (name: string) =>
  Object.defineProperty({}, name, {
    get() {
      throw new Error("no hook today")
    },
  })

/** How the call of `look` ended where a plugin is made of these hooks. */
async function calling(hooks: object) {
  let runs = 0
  await using test = await testEngine({
    model: model(),
    permission: asks,
    ask: async () => "once",
    tools: [testTool("look", async () => String(++runs))],
    plugins: [{ id: "guarding", plugin: () => hooks }],
  })
  const result = await test.ask("Look")
  const [part] = await test.parts("tool")
  const problems = test.events.flatMap(({ type, properties }) => (type === "plugin.error" ? [properties] : []))
  return { runs, type: result.type, state: part?.state, problems, report: test.engine.plugins.report() }
}

describe.each(["tool.execute.before", "permission.ask"])("a guard of %s", (name) => {
  it.each([
    ["cannot be read", unreadable(name), "cannot be read (no hook today)"],
    ["cannot be read by its other name", unreadable(`experimental.${name}`), "cannot be read (no hook today)"],
    ["is not a function", { [name]: { deny: true } }, "is not a function"],
  ])("that %s refuses, and is named with its plugin", async (_how, hooks, words) => {
    const { runs, type, state, report } = await calling(hooks)
    expect([runs, type]).toEqual([0, "answered"])
    expect(state).toMatchObject({ status: "error" })
    const { error } = state as { readonly error: string }
    expect(error).toContain(`Plugin "guarding" failed in hook "${name}": `)
    expect(error).toContain(words)
    expect(report[0]?.hooks).toEqual([name])
  })

  it("that goes away once it was found refuses", async () => {
    let reads = 0
    const hooks = Object.defineProperty({}, name, { get: () => (reads++ === 0 ? () => undefined : undefined) })
    const { runs, state } = await calling(hooks)
    expect(runs).toBe(0)
    expect(state).toMatchObject({ error: expect.stringContaining("its handler is gone") as string })
  })

  it.each([undefined, null, false])("that is %s is none", async (value) => {
    expect(await calling({ [name]: value })).toMatchObject({ runs: 1, state: { status: "completed" } })
  })
})

it("a transform that cannot be read is skipped and told of", async () => {
  const { runs, problems } = await calling(unreadable("tool.execute.after"))
  expect(runs).toBe(1)
  expect(problems).toMatchObject([
    { plugin: "guarding", hook: "tool.execute.after", message: expect.stringContaining("cannot be read") },
  ])
})
