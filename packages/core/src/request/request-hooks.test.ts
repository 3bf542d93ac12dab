import { describe, expect, it } from "vitest"
import { answeringModel } from "../../test/answering-model.ts"
import { type TestEngineOptions, testEngine, testTool } from "../../test/engine-fixture.ts"
import { called, said } from "../../test/streaming-model.ts"
import { look, looking, plugin, windowModel } from "../../test/window-model.ts"
import type { HookInput } from "../contracts/hooks.ts"

/** Sets what can be set of a request, and keeps for whom. */
function marking() {
  const asked: HookInput<"chat.params">[] = []
  const entry = plugin("marking", {
    "chat.system.transform": (_input, output) => void output.system.push("Marked."),
    "chat.params": (input, output) => {
      asked.push(input)
      output.temperature = 0.75
      output.options = { effort: "low" }
    },
    "chat.headers": ({ agent }, output) => void (output.headers["x-agent"] = agent),
  })
  return { asked, options: { plugins: [entry] } satisfies Partial<TestEngineOptions> }
}

const marked = (agent: string) => ({
  headers: { "x-agent": agent },
  settings: { temperature: 0.75, options: { effort: "low" } },
})

describe("chat.system.transform, chat.params and chat.headers are called", () => {
  it("for the request that names a session, by the agent title", async () => {
    const { asked, options } = marking()
    const namer = answeringModel(() => said("A greeting"), "namer")
    const model = answeringModel(() => said("Hello."), "agent")
    await using test = await testEngine({ model, titleModel: namer.ref, ...options }, namer)
    await test.ask("Say hello")
    await expect.poll(async () => (await test.engine.getSession(test.session.id)).title).toBe("A greeting")
    expect(namer.requests).toMatchObject([marked("title")])
    expect(namer.requests[0]?.system.at(-1)).toBe("Marked.")
    const message = (await test.messages())[0]?.info
    const about = { sessionID: test.session.id, rootSessionID: test.session.id, model: namer.ref, message }
    expect(asked.find(({ agent }) => agent === "title")).toEqual({ ...about, agent: "title" })
  })

  it("for an answer that a call has the model give, by the agent of the step", async () => {
    const { asked, options } = marking()
    const question = [{ role: "user" as const, content: [{ type: "text" as const, text: "What is it?" }] }]
    const model = answeringModel(({ request, n }) => {
      if (request.tools.length === 0) return said("A thought.")
      return n === 0 ? [called("wonder", {}, "call_1")] : said("Done.")
    })
    const wonder = testTool("wonder", async (_input, context) => {
      return (await context.generate({ system: "Be short.", messages: question, temperature: 0.2 })).text
    })
    await using test = await testEngine({ model, tools: [wonder], ...options })
    await test.ask("Go")
    const generated = model.requests.find(({ tools }) => tools.length === 0)
    expect(generated).toMatchObject({ ...marked("build"), system: ["Be short.", "Marked."] })
    const [prompt] = await test.messages()
    expect(asked.map(({ agent, message }) => [agent, message.id])).toEqual(
      Array.from({ length: 3 }, () => ["build", prompt?.info.id]),
    )
  })

  it("for a summary, by the agent compaction", async () => {
    const { options } = marking()
    const model = windowModel({ context: 100_000, agent: looking(6) })
    await using test = await testEngine({ model, tools: [look], ...options })
    await test.ask("Look everywhere.")
    await test.engine.compact(test.session.id)
    const [summary] = model.summaries
    expect(summary).toMatchObject(marked("compaction"))
    // The system prompt of the conversation, which they have had already.
    expect(summary?.system.filter((block) => block === "Marked.")).toHaveLength(1)
    expect(summary?.settings.maxOutputTokens).toBeGreaterThan(0)
  })
})
