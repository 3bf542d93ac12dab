import { expect, it } from "vitest"
import { running, sentText } from "../../test/running.ts"

/** What is told of a plugin that returns this, after a prompt, a command and a compaction. */
async function told(hooks: Readonly<Record<string, unknown>>) {
  await using scene = await running({
    modules: { acme: { default: async () => hooks } },
    config: { command: { hail: { template: "Hail" } } },
  })
  for (const words of ["One", "Two", "Three"]) await scene.ask(`${words} ${"More of it. ".repeat(200)}`)
  await scene.client.session.command({ path: { id: scene.sessionID }, body: { command: "hail", arguments: "" } })
  const sent = sentText(scene.model)
  await scene.engine.compact(scene.sessionID)
  const messages = scene.events.flatMap((event) => {
    return event.type === "session.notice" || event.type === "plugin.error" ? [event.properties.message] : []
  })
  const [report] = scene.engine.plugins.report()
  return { messages: [...new Set(messages)], sent, report, requests: scene.model.requests }
}

it.each<[string, Readonly<Record<string, unknown>>, string | RegExp]>([
  [
    "a hook's name is nearly one",
    { "tool.execute.befor": () => undefined },
    'Plugin "acme" failed in hook "tool.execute.before": "tool.execute.befor" is not a hook; did you mean "tool.execute.before"?',
  ],
  [
    "a tool is none",
    { tool: { broken: { description: "x" } } },
    'Plugin "acme" failed in hook "tool": "broken" cannot be offered as a tool: give it a function `execute`.',
  ],
  ["there is no table of tools", { tool: "mine" }, /Plugin "acme" failed in hook "tool": "tool" cannot be read/],
  [
    "a part of a command's prompt is none",
    { "command.execute.before": (_input: unknown, output: { parts: unknown[] }) => void output.parts.push("more", {}) },
    /Plugin "acme": Its handler of "command\.execute\.before" left a part that no prompt can have, at 1; it is left out/,
  ],
  [
    "the context of a summary is no list",
    { "experimental.session.compacting": (_input: unknown, output: { context: unknown }) => void (output.context = 5) },
    /Plugin "acme" failed in hook "session\.compacting": .*context/,
  ],
  [
    "a temperature is no number",
    { "chat.params": (_input: unknown, output: { temperature: unknown }) => void (output.temperature = "hot") },
    /Plugin "acme" failed in hook "chat\.params": .*temperature/,
  ],
])("tells by the plugin's name that %s", async (_what, hooks, message) => {
  const { messages } = await told(hooks)

  expect(messages).toContainEqual(typeof message === "string" ? message : expect.stringMatching(message))
})

it("says nothing of what plugins return besides, and calls hooks by both of their names", async () => {
  const context = (_input: unknown, output: { context: string[] }) => void output.context.push("Mind the boats.")
  const { messages, report, requests } = await told({
    ...{ version: 3, helper: () => 1, state: {} },
    ...{ "session.compacting": context, tool: { off: false, none: undefined } },
  })

  expect(messages).toEqual([])
  expect(report?.hooks).toContain("session.compacting")
  expect(JSON.stringify(requests)).toContain("Mind the boats.")
})
