import { describe, expect, it } from "vitest"
import { answeringModel } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { called, said } from "../../test/streaming-model.ts"
import type { ToolScope } from "./plugin.ts"
import type { PluginEntry, PluginInput } from "../plugin.ts"

const names = (tools: readonly { readonly name: string }[] = []) => tools.map(({ name }) => name)

describe("tools that are given by a function", () => {
  it("are asked for once a run, for its agent, model and place", async () => {
    const scopes: ToolScope[] = []
    const plugin: PluginEntry = {
      id: "server",
      plugin: () => ({ tool: (scope) => (scopes.push(scope), { look: testTool("look", async () => "seen") }) }),
    }
    const model = answeringModel(({ n }) => (n < 2 ? [called("look", { at: n }, `call_${n}`)] : said("Done.")))
    await using test = await testEngine({ model, plugins: [plugin] })
    await test.ask("Go")
    const { id, directory } = test.session
    expect(scopes).toMatchObject([
      { sessionID: id, rootSessionID: id, agent: "build", model: model.ref, directory, worktree: directory },
    ])
    await test.ask("Again")
    expect(scopes).toHaveLength(2)
  })

  it("change at the next step once the plugin says so; what has not changed is the same value still", async () => {
    let input: PluginInput | undefined
    let offered = ["look"]
    const plugin: PluginEntry = {
      id: "server",
      plugin(given) {
        input = given
        return { tool: () => Object.fromEntries(offered.map((name) => [name, testTool(name, work)])) }
      },
    }
    const work = async () => {
      if (model.requests.length === 2) input?.changed()
      if (model.requests.length !== 3) return ""
      offered = ["look", "more"]
      input?.changed()
      return ""
    }
    const model = answeringModel(({ n }) => (n < 4 ? [called("look", { at: n }, `call_${n}`)] : said("Done.")))
    await using test = await testEngine({ model, plugins: [plugin] })
    await test.ask("Go")
    const tools = model.requests.map((request) => request.tools)
    expect(tools.map((each) => names(each))).toEqual([["look"], ["look"], ["look"], ["look", "more"], ["look", "more"]])
    expect([tools[1], tools[2]]).toEqual([tools[0], tools[0]])
    expect(tools[1] === tools[0] && tools[2] === tools[0] && tools[4] === tools[3]).toBe(true)
  })

  it("may replace a built-in tool, and be named in what is wrong with them, once", async () => {
    const model = answeringModel(({ n }) => (n === 0 ? [called("look", {}, "call")] : said("Done.")))
    const plugin: PluginEntry = {
      id: "own",
      plugin: () => ({ tool: () => ({ look: testTool("look", async () => "mine"), odd: {} as never }) }),
    }
    await using test = await testEngine({ model, tools: [testTool("look", async () => "built in")], plugins: [plugin] })
    await test.ask("Go")
    await test.ask("Again")
    expect(await test.parts("tool")).toMatchObject([{ state: { output: "mine" } }])
    const told = test.events.filter(({ type }) => type === "plugin.error")
    expect(told).toMatchObject([{ properties: { plugin: "own", hook: "tool" } }])
  })
})

describe("a plugin that starts", () => {
  it("has the whole engine, and may tell people something", async () => {
    const model = answeringModel(() => said("Done."))
    const plugin: PluginEntry = {
      id: "starting",
      async plugin({ engine, notice, options }) {
        const session = await engine.createSession({ directory: "/", title: String(options["title"]) })
        notice("It has begun.")
        notice("And this is about a session.", session.id)
        return {}
      },
      options: { title: "Made by a plugin" },
    }
    await using test = await testEngine({ model, plugins: [plugin] })
    const titles: string[] = []
    for await (const { title } of test.engine.listSessions()) titles.push(title)
    expect(titles).toContain("Made by a plugin")
    expect(test.events.filter(({ type }) => type === "session.notice").map(({ properties }) => properties)).toEqual([
      { message: "It has begun." },
      { message: "And this is about a session.", sessionID: expect.stringMatching(/^ses_/) as string },
    ])
  })
})
