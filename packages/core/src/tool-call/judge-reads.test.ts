import { call, finish, scriptedModel, text } from "@pawl/provider-replay"
import { expect, it } from "vitest"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { taskTool } from "../../test/task-tool.ts"
import type { JudgeRead } from "../contracts/tool.ts"
import type { PermissionScope } from "../permission/rules.ts"

const files = ["src/a.ts", ".env", "secrets/key", "drafts/b.md"]
const scopes: readonly PermissionScope[] = [
  {
    name: "configuration",
    rules: [
      { permission: "read", pattern: "secrets/**", action: "deny" },
      { permission: "read", pattern: "drafts/**", action: "ask" },
    ],
  },
]

/** Has the tool `look` judge the files in each of its calls. */
function looking() {
  const seen: string[][] = []
  let judge: JudgeRead = () => "deny"
  const look = testTool("look", async (_input, context) => {
    judge = await context.judgeReads()
    seen.push(files.map((file) => judge([file])))
    return "seen"
  })
  return { look, seen, judge: (...names: string[]) => judge(names) }
}

it("says of a file what a read of it would come to", async () => {
  const { look, seen, judge } = looking()
  const model = scriptedModel([
    [call("look", {}), finish("tool-calls")],
    [text("Done."), finish("stop")],
  ])
  await using test = await testEngine({ model, tools: [look], permission: scopes })
  await test.ask("Go")
  expect(seen).toEqual([["allow", "ask", "deny", "ask"]])
  expect(judge("link.ts", "secrets/key")).toBe("deny")
  expect(judge("drafts/b.md", "src/b.md")).toBe("ask")
})

it("allows what a person has allowed for good, for that agent, and asks nobody itself", async () => {
  const { look, seen } = looking()
  const asked: string[] = []
  const read = testTool("read", async () => "read", {
    permissions: () => [{ permission: "read", patterns: [".env"] }],
  })
  const model = scriptedModel([
    [call("read", {}), finish("tool-calls")],
    [call("look", {}), finish("tool-calls")],
    [text("Done."), finish("stop")],
    [call("look", {}), finish("tool-calls")],
    [text("Done."), finish("stop")],
  ])
  await using test = await testEngine({
    ...{ model, tools: [look, read], permission: scopes, agents: [{ name: "review" }] },
    ask: async ({ patterns }) => (asked.push(...patterns), "always"),
  })
  await test.ask("Go")
  const prompt = { sessionID: test.session.id, agent: "review", parts: [{ type: "text", text: "Go" }] } as const
  await test.engine.prompt(prompt)
  expect(seen).toEqual([
    ["allow", "allow", "deny", "ask"],
    ["allow", "ask", "deny", "ask"],
  ])
  expect(asked).toEqual([".env"])
})

it("heeds the rules of the agents above", async () => {
  const { look, seen } = looking()
  const model = scriptedModel([
    [call("task", { description: "Look", prompt: "Look.", subagent_type: "general" }), finish("tool-calls")],
    [call("look", {}), finish("tool-calls")],
    [text("Seen."), finish("stop")],
    [text("Done."), finish("stop")],
  ])
  const strict = { name: "strict", permission: [{ permission: "read", pattern: "src/**", action: "deny" }] } as const
  await using test = await testEngine({ model, tools: [look, taskTool()], permission: scopes, agents: [strict] })
  await test.engine.prompt({ sessionID: test.session.id, agent: "strict", parts: [{ type: "text", text: "Go" }] })
  expect(seen).toEqual([["deny", "ask", "deny", "ask"]])
})
