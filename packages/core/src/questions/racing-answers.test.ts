import { expect, it } from "vitest"
import { answeringModel } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { called, said } from "../../test/streaming-model.ts"
import { taskTool } from "../../test/task-tool.ts"
import type { PluginEntry } from "../plugin.ts"
import type { PermissionRequest } from "../contracts/ask.ts"

const asking = [{ name: "test", rules: [{ permission: "look", pattern: "*", action: "ask" }] }] as const

/** Calls of `look`, of which the one named `late` comes to its question when another was answered `always` and ran. */
function world() {
  const { promise: ran, resolve } = Promise.withResolvers<void>()
  const asked: string[] = []
  const looks: string[] = []
  const holding: PluginEntry = {
    id: "holding",
    plugin: () => ({
      "permission.ask": async ({ callID, permission }) => {
        if (permission === "look" && callID === "late") await ran
      },
    }),
  }
  const look = testTool("look", async (_input, { callID }) => {
    looks.push(callID)
    resolve()
    return "seen"
  })
  const ask = async ({ tool }: PermissionRequest) => {
    asked.push(tool.callID)
    return "always" as const
  }
  return { asked, looks, holding, look, ask }
}

it("an answer of always settles what a parallel call was about to ask", async () => {
  const { asked, looks, holding, look, ask } = world()
  const model = answeringModel(({ n }) =>
    n === 0 ? [called("look", {}, "late"), called("look", {}, "first"), called("look", {}, "second")] : said("Done."),
  )
  await using test = await testEngine({ model, permission: asking, ask, tools: [look], plugins: [holding] })
  expect(await test.ask("Look")).toMatchObject({ type: "answered" })
  expect(looks.toSorted()).toEqual(["first", "late", "second"])
  expect(asked).not.toContain("late")
  expect(test.events.filter(({ type }) => type === "permission.asked")).toHaveLength(
    test.events.filter(({ type }) => type === "permission.replied").length,
  )
})

it("an answer of always in a session settles what the session below it was about to ask, and the other way round", async () => {
  for (const [above, below] of [
    ["first", "late"],
    ["late", "first"],
  ] as const) {
    const { asked, looks, holding, look, ask } = world()
    const model = answeringModel(({ request, n }) => {
      const isBelow = request.tools.every(({ name }) => name !== "task")
      if (n > 0) return said("Done.")
      if (isBelow) return [called("look", {}, below)]
      return [called("task", { prompt: "Look", subagent_type: "general" }, "task"), called("look", {}, above)]
    })
    await using test = await testEngine({
      ...{ model, permission: asking, ask, tools: [look, taskTool()], plugins: [holding] },
      agents: [{ name: "general", mode: "all" }],
    })
    const parts = [{ type: "text" as const, text: "Look" }]
    const run = await test.engine.prompt({ sessionID: test.session.id, agent: "general", parts })
    expect(run).toMatchObject({ type: "answered" })
    expect([looks, asked]).toEqual([["first", "late"], ["first"]])
  }
})

it("a question that an answer of always to another one settles allows nothing more for good", async () => {
  const needs = new Map([
    ["first", { patterns: ["git status"], always: ["git *"] }],
    ["second", { patterns: ["git log", "ls"], always: ["git *", "ls *"] }],
    ["third", { patterns: ["ls secret"], always: ["ls *"] }],
  ])
  const look = testTool("look", async () => "seen", {
    permissions: ({ what }) => {
      const need = needs.get(what as string)
      return need ? [{ permission: "look", ...need }] : []
    },
  })
  const { promise: isOpen, resolve } = Promise.withResolvers<void>()
  const asked: string[] = []
  const ask = async ({ tool }: PermissionRequest, signal: AbortSignal) => {
    asked.push(tool.callID)
    if (tool.callID === "first") {
      await isOpen
      return "always"
    }
    resolve()
    if (tool.callID === "second") await new Promise((done) => signal.addEventListener("abort", done, { once: true }))
    return "once"
  }
  const looking = (what: string) => called("look", { what }, what)
  const answers = [[looking("first"), looking("second")], [looking("third")]]
  const allowed = { permission: "look", pattern: "ls", action: "allow" } as const
  const permission = [{ name: "test", rules: [...asking[0].rules, allowed] }]
  const model = answeringModel(({ n }) => answers[n] ?? said("Done."))
  await using test = await testEngine({ model, permission, ask, tools: [look] })
  expect(await test.ask("Look")).toMatchObject({ type: "answered" })
  expect(asked).toEqual(["first", "second", "third"])
  expect(await test.storage.getSession(test.session.id)).toMatchObject({ approvals: [{ pattern: "git *" }] })
})
