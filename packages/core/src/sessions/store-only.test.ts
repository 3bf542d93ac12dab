import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { answeringModel } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { called, said } from "../../test/streaming-model.ts"
import type { MessageWithParts, PromptPart } from "../index.ts"
import type { HookInput } from "../plugin.ts"

const said1: readonly PromptPart[] = [{ type: "text", text: "By the way." }]

describe("a prompt without a reply", () => {
  it("is stored, begins no run, and is read with the next prompt", async () => {
    const model = answeringModel(() => said("Fine."))
    await using test = await testEngine({ model })
    const { id } = test.session
    const stored = await test.engine.prompt({ sessionID: id, parts: said1, noReply: true })
    expect(stored).toMatchObject({ type: "stored", messageID: (await test.messages())[0]?.info.id })
    expect(model.requests).toHaveLength(0)
    expect(test.events.map(({ type }) => type)).not.toContain("session.status")
    await test.ask("Go")
    expect(JSON.stringify(model.requests[0]?.messages)).toMatch(/By the way.*Go/)
    expect(model.requests).toHaveLength(1)
  })

  it("to a session at work here is read at its next step", async () => {
    const model = answeringModel(({ n }) => (n === 0 ? [called("look", {}, "call")] : said("Done.")))
    const look = testTool("look", async () => {
      await test.engine.prompt({ sessionID: test.session.id, parts: said1, noReply: true })
      return ""
    })
    await using test = await testEngine({ model, tools: [look] })
    expect(await test.ask("Go")).toMatchObject({ type: "answered" })
    expect(JSON.stringify(model.requests[1]?.messages)).toContain("By the way.")
  })

  it("is refused while another process works on the session", async () => {
    const storage = memoryStorage()
    await using test = await testEngine({ model: answeringModel(() => said("Fine.")), storage })
    const { id } = test.session
    const lease = await storage.acquire(id, "other", 60_000)
    await expect(test.engine.prompt({ sessionID: id, parts: said1, noReply: true })).rejects.toMatchObject({
      name: "SessionBusyError",
    })
    await lease?.release()
  })
})

describe("a prompt that comes of a command", () => {
  const command = { name: "review", arguments: "main" }

  it("has its parts edited before it is a message, by those who listen to commands", async () => {
    const told: HookInput<"command.execute.before">[] = []
    const order: string[] = []
    const model = answeringModel(() => said("Fine."))
    const plugin = () => ({
      "command.execute.before"(input: HookInput<"command.execute.before">, output: { parts: PromptPart[] }) {
        order.push("command")
        told.push(input)
        output.parts.push({ type: "text", text: "Added." }, { type: "agent", name: "explore" })
      },
      "chat.message": () => void order.push("message"),
    })
    await using test = await testEngine({ model, plugins: [{ id: "commands", plugin: plugin as never }] })
    const { id } = test.session
    await test.engine.prompt({ sessionID: id, parts: [{ type: "text", text: "Review main." }], command })
    expect(order).toEqual(["command", "message"])
    const about = {
      command: "review",
      arguments: "main",
      sessionID: id,
      rootSessionID: id,
      agent: "build",
      model: model.ref,
    }
    expect(told).toMatchObject([about])
    const texts = (await test.parts("text")).map((part) => part.text)
    expect(texts.slice(0, 2)).toEqual(["Review main.", "Added."])
    expect(await test.parts("agent")).toMatchObject([{ name: "explore" }])
    await test.ask("No command.")
    expect(told).toHaveLength(1)
  })
})

it("reads all messages of a session, newest first", async () => {
  await using test = await testEngine({ model: answeringModel(() => said("Fine.")) })
  await test.ask("One")
  await test.ask("Two")
  const read: MessageWithParts[] = []
  for await (const message of test.engine.readMessages(test.session.id)) read.push(message)
  expect(read.map(({ info }) => info.role)).toEqual(["assistant", "user", "assistant", "user"])
  expect(read.toReversed()).toEqual(await test.messages())
  await expect(test.engine.readMessages("ses_none")[Symbol.asyncIterator]().next()).rejects.toThrow("ses_none")
})
