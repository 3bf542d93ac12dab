import { call, finish, type Reply, scriptedModel, text } from "@pawl/provider-replay"
import { expect, it } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import { plugin } from "../window-model.ts"
import { image } from "../corpus/media/files.ts"
import type { ModelInfo } from "../../src/contracts/model.ts"

const said: Reply = [text("Yes."), finish("stop")]
const able: ModelInfo["capabilities"] = { reasoning: false, attachment: true, toolCall: true }
const modelOf = (providerID: string, capabilities: Partial<ModelInfo["capabilities"]>, replies: readonly Reply[]) =>
  scriptedModel(replies, {
    ref: { providerID, modelID: "model" },
    info: { capabilities: { ...able, ...capabilities } },
  })

it.each([
  [{}, { temperature: 0.2, topP: 0.5 }],
  [{ temperature: true }, { temperature: 0.2, topP: 0.5 }],
  [{ temperature: false }, { topP: 0.5 }],
])("sends the agent's temperature to a model with %j as %j", async (capabilities, settings) => {
  const model = modelOf("own", capabilities, [said])
  const agents = [{ name: "build", temperature: 0.2, topP: 0.5 }]
  await using test = await testEngine({ model, agents })

  await test.ask("Go")

  expect(model.requests[0]?.settings).toEqual({ ...settings, options: {} })
})

it("sends no temperature of a hook or a tool to a model that takes none", async () => {
  const model = modelOf("own", { temperature: false }, [[call("ask", {}), finish("tool-calls")], said, said])
  const ask = testTool("ask", async (_input, context) => {
    const { text: answer } = await context.generate({ messages: [{ role: "user", content: [] }], temperature: 1 })
    return answer
  })
  const hot = plugin("hot", { "chat.params": (_input, output) => void (output.temperature = 2) })
  await using test = await testEngine({ model, tools: [ask], plugins: [hot] })

  await test.ask("Go")

  expect(model.requests).toHaveLength(3)
  expect(model.requests.map(({ settings }) => "temperature" in settings)).toEqual([false, false, false])
})

it("offers no tools to a model that calls none, and has it read as text what another one called", async () => {
  const calling = modelOf("calling", {}, [
    [text("Let me see."), call("look", { at: "a.ts" }), call("fall", {}), finish("tool-calls")],
    said,
  ])
  const plain = modelOf("plain", { toolCall: false }, [said, said])
  const attachments = [image("a.png", "image/png", { width: 4, height: 4 })]
  const look = {
    ...testTool("look", async () => ""),
    execute: async () => ({ title: "", output: "It is red.", attachments }),
  }
  const fall = testTool("fall", () => Promise.reject(new Error("It is broken.")))
  await using test = await testEngine({ model: calling, tools: [look, fall] }, plain)
  const go = (model: typeof plain) =>
    test.engine.prompt({ sessionID: test.session.id, model: model.ref, parts: [{ type: "text", text: "Go" }] })

  await go(calling)
  await go(plain)
  await go(plain)

  expect(calling.requests[0]?.tools.map(({ name }) => name)).toEqual(["fall", "look"])
  const [first, second] = plain.requests
  expect([first?.tools, second?.tools]).toEqual([[], []])
  expect(first?.messages.slice(1, 4)).toMatchObject([
    {
      role: "assistant",
      content: [
        { type: "text", text: "Let me see." },
        { type: "text", text: '[Called the tool look: {"at":"a.ts"}]' },
        { type: "text", text: "[Called the tool fall: {}]" },
      ],
    },
    {
      role: "user",
      content: [
        { type: "text", text: "[Result of the tool look]\nIt is red." },
        { type: "file", mime: "image/png" },
        { type: "text", text: "[Error of the tool fall]\nIt is broken." },
      ],
    },
    { role: "assistant", content: [{ type: "text", text: "Yes." }] },
  ])
  // A request begins with the one before it.
  for (const [at, message] of (first?.messages ?? []).entries()) expect(second?.messages[at]).toEqual(message)
})
