import { call, finish, type Reply, reasoning, scriptedModel, text } from "@pawl/provider-replay"
import { expect, it } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import { taskTool } from "../task-tool.ts"

const look = testTool("look", async () => "It is red.")

it.each<[name: string, reply: Reply, message: string, text: string]>([
  ["in its text", [text("One, two"), finish("length")], "so the answer is cut. Continue the session", "One, two"],
  ["in its reasoning", [reasoning("Hm"), finish("length")], "before it said anything. Raise the", ""],
  ["before any of it", [finish("length")], "before it said anything. Raise the model's limit.output.", ""],
])("ends a run whose answer is cut %s with an error, and keeps what was said", async (_name, cut, message, said) => {
  const model = scriptedModel([cut, [text("Three."), finish("stop")]])
  await using test = await testEngine({ model })

  const result = await test.ask("Count to three")

  const error = { name: "MessageOutputLengthError", data: { message: expect.stringContaining(message) } }
  expect(result).toMatchObject({ type: "failed", error, answer: { info: { finish: "length", error } } })
  expect(test.events.filter(({ type }) => type === "session.error")).toMatchObject([{ properties: { error } }])
  expect(await test.parts("step-finish")).toMatchObject([{ reason: "length" }])
  expect(await test.parts("retry")).toEqual([])

  await test.ask("Go on")

  const words = model.requests[1]?.messages.flatMap(({ role, content }) =>
    role === "assistant" ? content.flatMap((item) => (item.type === "text" ? [item.text] : [])) : [],
  )
  expect(words).toEqual(said === "" ? [] : [said])
})

it("goes on from an answer that was cut behind a call", async () => {
  const model = scriptedModel([
    [call("look", {}), text("It is"), finish("length")],
    [text("Red."), finish("stop")],
  ])
  await using test = await testEngine({ model, tools: [look] })

  expect(await test.ask("What colour?")).toMatchObject({ type: "answered" })
})

it("tells an agent that its subagent's answer was cut, with what there is of it", async () => {
  const model = scriptedModel([
    [call("task", { prompt: "Count", subagent_type: "general" }), finish("tool-calls")],
    [text("One, two"), finish("length")],
    [text("It was cut."), finish("stop")],
  ])
  await using test = await testEngine({ model, tools: [taskTool()] })

  expect(await test.ask("Go")).toMatchObject({ type: "answered" })

  const results = JSON.stringify(model.requests[2]?.messages.at(-1))
  expect(results).toContain("so the answer is cut")
  expect(results).toContain("One, two")
})
