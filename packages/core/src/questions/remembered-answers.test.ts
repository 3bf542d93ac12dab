import { call, finish, scriptedModel, text } from "@pawl/provider-replay"
import { expect, it } from "vitest"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import type { PermissionRequest } from "../contracts/ask.ts"

const asking = [{ name: "test", rules: [{ permission: "look", pattern: "*", action: "ask" }] }] as const

it("remembers an answer of always for the agent that asked, and asks again for another", async () => {
  const model = scriptedModel([
    [call("look", {}), finish("tool-calls")],
    [call("look", {}), finish("tool-calls")],
    [call("look", {}), finish("tool-calls")],
    [text("Done."), finish("stop")],
  ])
  const questions: PermissionRequest[] = []
  let looks = 0
  await using test = await testEngine({
    model,
    agents: [{ name: "review" }],
    permission: asking,
    ask: async (request) => {
      questions.push(request)
      return questions.length === 1 ? "always" : "reject"
    },
    tools: [
      testTool("look", async () => {
        // The second call is allowed by the answer to the first; then another agent goes on in the same run.
        if (++looks === 2) void prompt("review")
        return "seen"
      }),
    ],
  })
  const prompt = (agent: string) => {
    return test.engine.prompt({ sessionID: test.session.id, agent, parts: [{ type: "text", text: "Go" }] })
  }

  await prompt("build")

  expect(looks).toBe(2)
  expect(questions).toHaveLength(2)
  const calls = (await test.messages()).flatMap(({ info, parts }) => {
    const tool = parts.find(({ type }) => type === "tool")
    return info.role === "assistant" && tool?.type === "tool" ? [[info.agent, tool.state.status]] : []
  })
  expect(calls).toEqual([
    ["build", "completed"],
    ["build", "completed"],
    ["review", "error"],
  ])
})
