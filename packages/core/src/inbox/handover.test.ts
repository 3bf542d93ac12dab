import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { called, ended, said, streamingModel } from "../../test/streaming-model.ts"
import type { EngineEvent } from "../index.ts"
import type { Tool } from "../tool.ts"

/** A tool of this name, whose result names an agent. */
function naming(name: string, switchAgent: string): Tool {
  const result = { title: "", output: "Approved.", metadata: { switchAgent } }
  return testTool(name, async () => "", { execute: async () => result })
}

const answers = (name: string) => streamingModel([called(name), ended("tool-calls")], [...said("Planned."), ended()])

describe("a plan that the user approves", () => {
  it("is carried out by the agent that the tool names, in the same run", async () => {
    const model = answers("plan_exit")
    await using test = await testEngine({ model, tools: [naming("plan_exit", "build")] })

    const result = await test.engine.prompt({
      ...{ sessionID: test.session.id, agent: "plan", clientID: "mine" },
      parts: [{ type: "text", text: "Plan it." }],
    })

    const users = (await test.messages()).filter(({ info }) => info.role === "user")
    expect(users.map(({ info }) => info.agent)).toEqual(["plan", "build"])
    expect(users[1]?.info).not.toHaveProperty("clientID")
    expect(users[1]?.parts).toMatchObject([
      { type: "text", synthetic: true, text: expect.stringContaining("approved") },
    ])
    expect(result).toMatchObject({ type: "answered", answer: { info: { agent: "build" } } })
    expect((await test.engine.getSession(test.session.id)).agent).toBe("build")
    expect(model.requests).toHaveLength(3)

    await test.engine.resume(test.session.id)
    expect(model.requests).toHaveLength(3)
  })

  it.each(["steer", "queue", undefined] as const)(
    "is carried out although a prompt came meanwhile (%s)",
    async (delivery) => {
      const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const approve = testTool("plan_exit", async () => "", {
        async execute() {
          begun.resolve()
          await released.promise
          return { title: "", output: "Approved.", metadata: { switchAgent: "build" } }
        },
      })
      await using test = await testEngine({ model: answers("plan_exit"), tools: [approve] })
      const sessionID = test.session.id
      const first = test.engine.prompt({ sessionID, agent: "plan", parts: [{ type: "text", text: "Plan it." }] })
      await begun.promise
      const parts = [{ type: "text", text: "With tests." } as const]
      const second = test.engine.prompt({ sessionID, parts, ...(delivery ? { delivery } : {}) })
      await new Promise((resolve) => setTimeout(resolve, 20))
      released.resolve()
      await Promise.all([first, second])
      const agents = (await test.messages()).flatMap(({ info }) => (info.role === "user" ? [info.agent] : []))
      // What is read before the plan is carried out belongs to it; what is read afterwards goes to who carries it out.
      expect(agents.toSorted()).toEqual(["build", delivery === "queue" ? "build" : "plan", "plan"])
    },
  )

  it("leaves a queued prompt to the agent that was chosen for it", async () => {
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const approve = testTool("plan_exit", async () => "", {
      async execute() {
        begun.resolve()
        await released.promise
        return { title: "", output: "Approved.", metadata: { switchAgent: "build" } }
      },
    })
    await using test = await testEngine({ model: answers("plan_exit"), tools: [approve] })
    const of = { sessionID: test.session.id, agent: "plan" }
    const first = test.engine.prompt({ ...of, parts: [{ type: "text", text: "Plan it." }] })
    await begun.promise
    const second = test.engine.prompt({ ...of, parts: [{ type: "text", text: "Plan more." }], delivery: "queue" })
    await expect.poll(async () => (await test.engine.queue(of.sessionID)).length).toBe(1)
    released.resolve()
    await Promise.all([first, second])
    const users = (await test.messages()).flatMap(({ info }) => (info.role === "user" ? [info] : []))
    expect(users.map(({ agent }) => agent)).toEqual(["plan", "build", "plan"])
    expect(users[2]?.delivery).toEqual({ mode: "queue", state: "delivered" })
  })

  it.each([
    ["another tool's result names one", "helpful", "build"],
    ["the agent is not known", "plan_exit", "nobody"],
  ])("stays with its agent where %s", async (_where, tool, agent) => {
    const model = answers(tool)
    await using test = await testEngine({ model, tools: [naming(tool, agent)] })
    const parts = [{ type: "text", text: "Plan it." } as const]
    const result = await test.engine.prompt({ sessionID: test.session.id, agent: "plan", parts })
    expect(result).toMatchObject({ type: "answered", answer: { info: { agent: "plan" } } })
    expect(model.requests).toHaveLength(2)
  })
})

describe("what a call did", () => {
  it("is told as events: the list of tasks, and each file that it changed", async () => {
    const todos = [{ content: "Mend it", status: "pending" }]
    const edit = testTool("edit", async (_input, { files }) => {
      await files.before("/srv/a.ts", undefined)
      await files.after("/srv/a.ts", Buffer.from("a"))
      return "done"
    })
    const calls = [called("todowrite", { todos }, "a"), called("edit", {}, "b"), ended("tool-calls")]
    const model = streamingModel(calls, [...said("Done."), ended()])
    await using test = await testEngine({ model, tools: [edit, testTool("todowrite", async () => "")] })
    await test.ask("Go on.")

    const told = (type: EngineEvent["type"]) => test.events.filter((event) => event.type === type)
    expect(told("todo.updated")).toMatchObject([{ properties: { sessionID: test.session.id, todos } }])
    expect(told("file.edited")).toMatchObject([{ properties: { sessionID: test.session.id, file: "/srv/a.ts" } }])
  })
})
