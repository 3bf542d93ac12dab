import { expect, it } from "vitest"
import { answeringModel } from "../answering-model.ts"
import { testEngine, testTool } from "../engine-fixture.ts"
import { called, said } from "../streaming-model.ts"
import type { EngineOptions } from "../../src/index.ts"
import type { PluginEntry, PluginHooks } from "../../src/plugin.ts"

type Before = NonNullable<PluginHooks["tool.execute.before"]>

const editing = (id: string, edit: (args: Record<string, unknown>) => void): PluginEntry => ({
  id,
  plugin: () => ({ "tool.execute.before": (_input, output) => edit(output.args as Record<string, unknown>) }),
})
const rule = (action: "allow" | "ask" | "deny") => ({ permission: "look", pattern: "edited", action })

/** What is stored and told of one call of `look`, whose path a plugin has changed to `edited`. */
async function calling(
  more: Partial<Omit<EngineOptions, "model" | "providers">>,
  plugins: readonly PluginEntry[] = [],
) {
  const heard: unknown[] = []
  const model = answeringModel(({ request }) =>
    request.messages.at(-1)?.role === "tool" ? said("Done.") : [called("look", { path: "written" })],
  )
  const after: PluginEntry = {
    id: "after",
    plugin: () => ({ "tool.execute.after": ({ args, status }) => void heard.push({ args, status }) }),
  }
  await using test = await testEngine({
    model,
    tools: [
      testTool("look", async () => "seen", {
        permissions: ({ path }) => [{ permission: "look", patterns: [String(path)] }],
      }),
    ],
    plugins: [editing("editing", (args) => void (args["path"] = "edited")), ...plugins, after],
    ...more,
  })
  await test.ask("Look")
  const [part] = await test.parts("tool")
  const shown = model.requests
    .at(-1)
    ?.messages.flatMap(({ content }) => content.filter((each) => each.type === "tool-call"))
  return { input: part?.state.input, status: part?.state.status, heard, shown }
}

it.each([
  ["a rule denies", { permission: [{ name: "test", rules: [rule("deny")] }] }, []],
  [
    "a person refuses",
    { permission: [{ name: "test", rules: [rule("ask")] }], ask: async () => "reject" as const },
    [],
  ],
  [
    "a later guard refuses",
    {},
    [
      editing("refusing", () => {
        throw new Error("Not that.")
      }),
    ],
  ],
] as const)(
  "arguments that were edited are stored and told as they were judged where %s",
  async (_who, more, plugins) => {
    const { input, status, heard } = await calling(more, plugins)
    expect([input, status]).toEqual([{ path: "edited" }, "error"])
    expect(heard).toEqual([{ args: { path: "edited" }, status: "denied" }])
  },
)

it("the model reads the arguments that were judged", async () => {
  const { shown } = await calling({ permission: [{ name: "test", rules: [rule("deny")] }] })
  expect(shown).toMatchObject([{ input: { path: "edited" } }])
})

it("a guard that refuses leaves nothing of its own edits", async () => {
  const refusing: Before = (_input, output) => {
    output.args = { path: "half way" }
    throw new Error("Not that.")
  }
  const plugin: PluginEntry = { id: "refusing", plugin: () => ({ "tool.execute.before": refusing }) }
  expect(await calling({}, [plugin])).toMatchObject({ input: { path: "edited" }, status: "error" })
})

it("a model that repeats itself is noticed, whatever a guard makes of each call", async () => {
  let count = 0
  const model = answeringModel(({ n }) => (n < 30 ? [called("look", { path: "a" }, `call_${n}`)] : said("Done.")))
  await using test = await testEngine({
    model,
    tools: [testTool("look", async () => "the same")],
    plugins: [editing("stamping", (args) => void (args["at"] = ++count))],
  })
  expect(await test.ask("Look")).not.toMatchObject({ type: "answered" })
  expect(model.requests.length).toBeLessThan(20)
})
