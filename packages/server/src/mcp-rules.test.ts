import { builtinTools } from "@pawl/tools"
import { expect, it, vi } from "vitest"
import { serving } from "../test/serving.ts"

const rules = [
  {
    name: "configuration",
    rules: [
      { permission: "bash", pattern: "*", action: "ask" },
      { permission: "bash", pattern: "rm *", action: "deny" },
    ],
  },
] as const

it.each<[string, readonly string[], boolean]>([
  ["a denied command", ["rm", "victim"], false],
  ["a denied command by its path", ["/bin/rm", "victim"], false],
  ["a shell that runs it", ["sh", "-c", "rm victim"], false],
  ["a program that runs it", ["env", "rm", "victim"], false],
  ["another command", ["node", "server.js", "it's quoted"], true],
])("adds an MCP server, but not with a rule that denies it: %s", async (_what, command, isAdded) => {
  const add = vi.fn(async () => undefined)
  const servers = { add } as never
  await using scene = await serving({ host: { permission: () => rules, tools: () => [...builtinTools()], servers } })
  const { status } = await scene.app.request("/mcp", {
    method: "POST",
    body: JSON.stringify({ name: "x", config: { type: "local", command } }),
  })
  expect({ status, added: add.mock.calls.length }).toEqual({ status: isAdded ? 200 : 400, added: isAdded ? 1 : 0 })
})
