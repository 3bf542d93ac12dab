import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { testPlace } from "../test/context.ts"
import { testDirectory } from "../test/directory.ts"
import { builtinTools } from "./builtin-tools.ts"
import { sessionRecord } from "./recall/session-record.ts"

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

const record = sessionRecord(memoryStorage())

it("offers recall where there is a record to search, in its place", () => {
  expect(builtinTools({ record }).map((tool) => tool.name)).toEqual(
    [...builtinTools().map((tool) => tool.name), "recall"].toSorted(),
  )
})

it.each(builtinTools({ record }))("describes $name and its parameters in few words", (tool) => {
  expect(tool.description.length).toBeGreaterThan(50)
  expect(tool.description.length).toBeLessThanOrEqual(600)
  const { properties, ...schema } = tool.inputSchema as { properties: Record<string, { description?: string }> }
  expect(schema).toMatchObject({ type: "object", additionalProperties: false })
  expect(Object.values(properties).every((property) => property.description)).toBe(true)
  expect(schema).not.toHaveProperty("$schema")
})

it("names the parameters as models know them", () => {
  const names = builtinTools({ record }).map((tool) => [tool.name, Object.keys(tool.inputSchema["properties"] ?? {})])
  expect(Object.fromEntries(names)).toEqual({
    bash: ["command", "timeout", "workdir"],
    edit: ["filePath", "oldString", "newString", "replaceAll"],
    glob: ["pattern", "path"],
    grep: ["pattern", "path", "include"],
    list: ["path", "ignore"],
    read: ["filePath", "offset", "limit"],
    recall: ["query", "part", "offset", "limit"],
    write: ["filePath", "content"],
  })
})

it("takes an answer about one call for that call, and for nothing wider", async () => {
  const [directory, outside] = [await testDirectory({ ".env": "" }), await testDirectory({ "a.txt": "" })]
  const everything = {
    command: "ls",
    workdir: outside,
    pattern: "x",
    content: "",
    oldString: "a",
    newString: "b",
    query: "x",
  }
  for (const path of [".env", `${outside}/a.txt`]) {
    for (const tool of builtinTools({ record })) {
      const names = Object.keys(tool.inputSchema["properties"] ?? {})
      const input = Object.entries({ ...everything, path, filePath: path }).filter(([name]) => names.includes(name))
      const needs = await tool.permissions?.(tool.parse(Object.fromEntries(input)), testPlace(directory))
      expect(needs?.length).toBeGreaterThan(0)
      for (const need of needs ?? []) expect(need).not.toHaveProperty("always")
    }
  }
})
