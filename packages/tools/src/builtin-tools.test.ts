import { expect, it } from "vitest"
import { testPlace } from "../test/context.ts"
import { testDirectory } from "../test/directory.ts"
import { builtinTools } from "./builtin-tools.ts"

it("offers the tools in alphabetical order, each with what repeating it would do", () => {
  expect(builtinTools().map((tool) => [tool.name, tool.effect])).toEqual([
    ["bash", "unsafe"],
    ["edit", "unsafe"],
    ["glob", "pure"],
    ["grep", "pure"],
    ["list", "pure"],
    ["read", "pure"],
    ["write", "idempotent"],
  ])
})

it.each(builtinTools())("describes $name and its parameters in few words", (tool) => {
  expect(tool.description.length).toBeGreaterThan(50)
  expect(tool.description.length).toBeLessThanOrEqual(600)
  const { properties, ...schema } = tool.inputSchema as { properties: Record<string, { description?: string }> }
  expect(schema).toMatchObject({ type: "object", additionalProperties: false })
  expect(Object.values(properties).every((property) => property.description)).toBe(true)
  expect(schema).not.toHaveProperty("$schema")
})

it("names the parameters as models know them", () => {
  const names = builtinTools().map((tool) => [tool.name, Object.keys(tool.inputSchema["properties"] ?? {})])
  expect(Object.fromEntries(names)).toEqual({
    bash: ["command", "timeout", "workdir"],
    edit: ["filePath", "oldString", "newString", "replaceAll"],
    glob: ["pattern", "path"],
    grep: ["pattern", "path", "include"],
    list: ["path", "ignore"],
    read: ["filePath", "offset", "limit"],
    write: ["filePath", "content"],
  })
})

it("takes an answer about one call for that call, and for nothing wider", async () => {
  const [directory, outside] = [await testDirectory({ ".env": "" }), await testDirectory({ "a.txt": "" })]
  const everything = { command: "ls", workdir: outside, pattern: "x", content: "", oldString: "a", newString: "b" }
  for (const path of [".env", `${outside}/a.txt`]) {
    for (const tool of builtinTools()) {
      const names = Object.keys(tool.inputSchema["properties"] ?? {})
      const input = Object.entries({ ...everything, path, filePath: path }).filter(([name]) => names.includes(name))
      const needs = await tool.permissions?.(tool.parse(Object.fromEntries(input)), testPlace(directory))
      expect(needs?.length).toBeGreaterThan(0)
      for (const need of needs ?? []) expect(need).not.toHaveProperty("always")
    }
  }
})
