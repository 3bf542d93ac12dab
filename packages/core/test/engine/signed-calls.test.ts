import { expect, it } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import { called, ended, streamingModel } from "../streaming-model.ts"

it("sends a call back with the signature that came with it, in the same turn and after it", async () => {
  const metadata = { google: { thoughtSignature: "sig" } }
  const signed = { ...called("look", {}, "call_1"), metadata } as const
  const model = streamingModel([signed, called("look", {}, "call_2"), ended("tool-calls")])
  await using test = await testEngine({ model, tools: [testTool("look", async () => "seen")] })

  await test.ask("Look twice.")
  await test.ask("And?")

  for (const { messages } of model.requests.slice(1)) {
    const calls = messages.flatMap(({ role, content }) => {
      return role === "assistant" ? content.filter(({ type }) => type === "tool-call") : []
    })
    expect(calls).toEqual([
      { type: "tool-call", callID: "call_1", name: "look", input: {}, metadata },
      { type: "tool-call", callID: "call_2", name: "look", input: {} },
    ])
  }
  expect(model.requests).toHaveLength(3)
})
