import { describe, expect, it } from "vitest"
import { memoryStorage } from "@pawl/storage-memory"
import { answeringModel, lastPrompt, silence } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { dying } from "../../test/storages.ts"
import { called, said } from "../../test/streaming-model.ts"
import { taskTool } from "../../test/task-tool.ts"
import { UnsuitableAgentError } from "../base/errors.ts"
import type { PromptPart } from "../contracts/prompt.ts"

const echo = () => answeringModel(({ request }) => said(`Answer to ${lastPrompt(request).split("\n")[0]}`))
const task = (prompt: string, more: object = {}): PromptPart => {
  return { type: "subtask", prompt, description: `Do ${prompt}`, agent: "explore", ...more }
}

describe("a task of the user's message", () => {
  it("is worked on by its agent before the model answers", async () => {
    const model = echo()
    await using test = await testEngine({ model, tools: [taskTool()] })
    const parts = [{ type: "text", text: "Begin" } as const, task("one"), task("two")]

    expect(await test.engine.prompt({ sessionID: test.session.id, parts })).toMatchObject({ type: "answered" })

    const calls = await test.parts("tool")
    expect(calls.map(({ tool, state }) => [tool, state.status, state.input["subagent_type"]])).toEqual([
      ["task", "completed", "explore"],
      ["task", "completed", "explore"],
    ])
    const messages = await test.messages()
    expect(messages.map(({ info }) => [info.role, info.agent, "finish" in info && info.finish])).toEqual([
      ["user", "build", false],
      ["assistant", "explore", "tool-calls"],
      ["assistant", "explore", "tool-calls"],
      ["assistant", "build", "stop"],
    ])
    const children = await test.engine.children(test.session.id)
    expect(children.map(({ title }) => title).sort()).toEqual([
      "Do one (@explore subagent)",
      "Do two (@explore subagent)",
    ])
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("Answer to two")
  })

  it("of a command is summed up by the model afterwards, once all are done", async () => {
    const model = echo()
    await using test = await testEngine({ model, tools: [taskTool()] })
    const parts = [task("one", { command: "review" }), task("two", { command: "review" })]

    await test.engine.prompt({ sessionID: test.session.id, parts })

    expect((await test.messages()).map(({ info }) => info.role)).toEqual([
      ...["user", "assistant", "assistant", "user", "assistant"],
    ])
    expect(lastPrompt(model.requests.at(-1) as never)).toContain("what the subagents above have found")
  })

  it("has the model that it names", async () => {
    const model = echo()
    const other = answeringModel(() => said("Mine."), "other")
    await using test = await testEngine({ model, tools: [taskTool()] }, other)
    await test.engine.prompt({ sessionID: test.session.id, parts: [task("one", { model: other.ref })] })
    expect(other.requests).toHaveLength(1)
  })

  it("is stored only for an agent that takes tasks", async () => {
    await using test = await testEngine({ model: echo(), tools: [taskTool()] })
    const asked = test.engine.prompt({ sessionID: test.session.id, parts: [task("one", { agent: "build" })] })
    await expect(asked).rejects.toThrow(UnsuitableAgentError)
    expect(await test.messages()).toEqual([])
  })
})

describe("an agent that the user names", () => {
  const ask = [{ name: "configuration", rules: [{ permission: "task", pattern: "*", action: "ask" }] }] as const
  const model = () =>
    answeringModel(({ request, n }) => {
      if (!lastPrompt(request).startsWith("Begin")) return said("Found.")
      return n === 0 ? [called("task", { prompt: "x", subagent_type: "explore" })] : said("Done.")
    })
  const mention: PromptPart = { type: "agent", name: "explore" }

  it("needs no permission in this turn, and the model is told to use it", async () => {
    const answers = model()
    await using test = await testEngine({ model: answers, tools: [taskTool()], permission: ask })
    const parts = [{ type: "text", text: "Begin" } as const, mention]
    expect(await test.engine.prompt({ sessionID: test.session.id, parts })).toMatchObject({ type: "answered" })
    expect(lastPrompt(answers.requests[0] as never)).toContain('subagent "explore"')
    expect((await test.parts("tool"))[0]?.state.status).toBe("completed")
  })

  it.each([
    ["another agent is named", [{ type: "agent", name: "general" } as const]],
    ["none is named", []],
  ])("needs one where %s", async (_when, named) => {
    await using test = await testEngine({ model: model(), tools: [taskTool()], permission: ask })
    const parts = [{ type: "text", text: "Begin" } as const, ...named]
    expect(await test.engine.prompt({ sessionID: test.session.id, parts })).toMatchObject({ type: "refused" })
  })

  it("stays denied where a rule denies it", async () => {
    const deny = [{ name: "configuration", rules: [{ permission: "task", pattern: "*", action: "deny" }] }] as const
    await using test = await testEngine({ model: model(), tools: [taskTool()], permission: deny })
    const parts = [{ type: "text", text: "Begin" } as const, mention]
    await test.engine.prompt({ sessionID: test.session.id, parts })
    expect((await test.parts("tool"))[0]?.state.status).toBe("error")
  })
})

describe("a task of a command", () => {
  const command = "look-around"

  it("is worked on although a compaction is asked for while one before it is", async () => {
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const wait = testTool("wait", async () => {
      begun.resolve()
      await released.promise
      return "ok"
    })
    const model = answeringModel(({ request, n }) => {
      return lastPrompt(request) === "one" && n === 0 ? [called("wait")] : said("y".repeat(2000))
    })
    await using test = await testEngine({ model, tools: [taskTool(), wait] })
    await test.ask("Begin")
    const parts = [task("one", { agent: "general", command }), task("two", { agent: "general", command })]
    const asked = test.engine.prompt({ sessionID: test.session.id, parts })
    await begun.promise
    const compacted = test.engine.compact(test.session.id)
    await new Promise((resolve) => setTimeout(resolve, 20))
    released.resolve()
    await Promise.all([asked, compacted])
    const titles = (await test.engine.children(test.session.id)).map(({ title }) => title.split(" (")[0])
    expect(new Set(titles)).toEqual(new Set(["Do one", "Do two"]))
    expect(titles).toHaveLength(2)
    expect(test.events.filter(({ type }) => type === "session.compacting")).toHaveLength(1)
  })

  it("that an interrupt ends after a restart is not gone on with", async () => {
    const storage = memoryStorage()
    const model = answeringModel(({ request, signal }) => {
      return lastPrompt(request) === "one" ? silence(signal) : said("Yes.")
    })
    let isDead = false
    const tools = [taskTool()]
    const first = await testEngine({ model, tools, storage: dying(storage, () => isDead) })
    const sessionID = first.session.id
    const begun = first.engine.prompt({ sessionID, parts: [task("one", { command })] }).catch(() => undefined)
    await expect.poll(() => model.requests.length).toBe(1)
    isDead = true
    await first.engine.close().catch(() => undefined)
    await begun

    await using test = await testEngine({ model, tools, storage, session: first.session })
    const resumed = test.engine.resume(sessionID)
    await expect.poll(() => model.requests.length).toBe(2)
    const parts = [{ type: "text", text: "Stop that" } as const]
    await test.engine.prompt({ sessionID, parts, delivery: "interrupt" })
    expect(await resumed).toMatchObject({ type: "answered" })
    expect((await test.parts("text")).map(({ text }) => text)).toEqual(["Stop that", "Yes."])
  })
})
