import { expect, it } from "vitest"
import { answeringModel } from "../../test/answering-model.ts"
import { testEngine } from "../../test/engine-fixture.ts"
import { said } from "../../test/streaming-model.ts"
import type { PluginHooks } from "../hooks/plugin.ts"
import { HookError } from "../base/errors.ts"

const empty = [{ type: "text", text: "" }] as const
const command = { name: "swarm", arguments: "status" }
const full = { type: "text", text: "Show the swarm." } as const

async function prompting(hooks: PluginHooks) {
  const model = answeringModel(() => said("Here."))
  const test = await testEngine({ model, plugins: [{ id: "p", plugin: () => hooks }] })
  const sessionID = test.session.id
  const sent = () => JSON.stringify(model.requests.at(-1)?.messages)
  return { ...test, model, sent, sessionID, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() }
}

it("has a command without a text filled by a plugin, which is told of it", async () => {
  const told: unknown[] = []
  await using test = await prompting({
    "command.execute.before": (input, output) => {
      told.push([input.command, input.arguments, structuredClone(output.parts)])
      output.parts.push(full)
    },
  })

  const answer = await test.engine.prompt({ sessionID: test.sessionID, parts: empty, command })

  expect(answer).toMatchObject({ type: "answered" })
  expect(told).toEqual([["swarm", "status", empty]])
  expect(test.sent()).toContain("Show the swarm.")
})

it("has a prompt without a text filled by a plugin", async () => {
  await using test = await prompting({
    "chat.message": ({ sessionID, messageID }, output) => {
      output.parts.push({ ...full, id: "prt_zzzzzzzzzzzzzzzzzzzzzzzzzz", sessionID, messageID })
    },
  })

  await test.engine.prompt({ sessionID: test.sessionID, parts: empty })

  expect(test.sent()).toContain("Show the swarm.")
})

it.each<[string, PluginHooks, object, RegExp]>([
  ["a command", { "command.execute.before": () => undefined }, { command }, /"swarm" made an empty prompt/],
  ["a prompt", { "chat.message": () => undefined }, {}, /prompt is empty/],
  [
    "what a plugin has emptied",
    { "chat.message": (_input, output) => void (output.parts = []) },
    { parts: [full] },
    /prompt is empty/,
  ],
])("refuses %s with nothing in it when all hooks are done, and stores nothing", async (_what, hooks, more, reason) => {
  await using test = await prompting(hooks)

  await expect(test.engine.prompt({ sessionID: test.sessionID, parts: empty, ...more })).rejects.toThrow(reason)

  expect(await test.messages()).toEqual([])
  expect(test.model.requests).toEqual([])
})

it("says what is wrong with the plugin that was to fill it", async () => {
  await using test = await prompting({
    "command.execute.before": () => {
      throw new Error("No swarm here.")
    },
  })

  await expect(test.engine.prompt({ sessionID: test.sessionID, parts: empty, command })).rejects.toThrow(/empty prompt/)

  const problem = new HookError("p", "command.execute.before", "No swarm here.").message
  const told = test.events.flatMap((event) => (event.type === "plugin.error" ? event.properties.message : []))
  expect(told).toEqual([problem])
})

it("stores what is for people alone where nobody is to answer it", async () => {
  await using test = await prompting({})
  const note = { type: "text", text: "Context: 12%", ignored: true } as const

  const stored = await test.engine.prompt({ sessionID: test.sessionID, parts: [note], noReply: true })
  await test.engine.prompt({ sessionID: test.sessionID, parts: [full] })

  expect(stored).toMatchObject({ type: "stored" })
  expect(test.sent()).not.toContain("12%")
  await expect(test.engine.prompt({ sessionID: test.sessionID, parts: empty, noReply: true })).rejects.toThrow(/empty/)
})
