import { readFile } from "node:fs/promises"
import type { JSONObject, Tool } from "@pawl/core/tool"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { testPlace } from "../test/context.ts"
import { testDirectory } from "../test/directory.ts"
import { testTools } from "../test/tools.ts"
import { webServer } from "../test/web-server.ts"
import { builtinTools } from "./builtin-tools.ts"
import { sessionRecord } from "./recall/session-record.ts"
import { storedTodos } from "./todo/todos.ts"

const storage = memoryStorage()
const all = builtinTools({
  record: sessionRecord(storage),
  todos: storedTodos(storage),
  agents: [{ name: "explore" }],
  skills: [{ name: "release", description: "Releases.", file: "/srv/SKILL.md", content: "" }],
  asks: true,
})

/** A call that each tool takes, with what it touches under `path`. */
function callOf({ inputSchema }: Tool, path: string, outside = "/srv"): JSONObject {
  const choices = [
    { label: "a", description: "a" },
    { label: "b", description: "b" },
  ]
  const everything: JSONObject = {
    ...{
      command: "ls",
      workdir: outside,
      pattern: "x",
      path,
      filePath: path,
      query: "x",
      jobID: "job_1",
      name: "release",
    },
    ...{ content: "", oldString: "a", newString: "b", edits: [{ oldString: "a", newString: "b" }] },
    patchText: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`,
    questions: [{ question: "Which?", header: "Which", options: choices }],
    ...{ description: "look", prompt: "Look.", subagent_type: "explore", todos: [], url: "https://example.com/" },
  }
  const names = Object.keys(inputSchema["properties"] ?? {})
  return Object.fromEntries(Object.entries(everything).filter(([name]) => names.includes(name)))
}

/** A tool's parameters as the documentation writes them. */
function parametersOf({ inputSchema: { properties, required = [] } }: Tool): string {
  const isRequired = (name: string) => (required as readonly string[]).includes(name)
  const names = Object.keys(properties ?? {}).map((name) => `\`${name}${isRequired(name) ? "" : "?"}\``)
  return names.join(" ")
}

async function documentedRows(): Promise<readonly string[][]> {
  const text = await readFile(new URL("../../../docs/tools.md", import.meta.url), "utf8")
  const rows = text.split("\n").filter((line) => /^\| [a-z_]+ \| (?:pure|idempotent|unsafe) \|/.test(line))
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

it("declares effect, deadline, kept end and parameters of each tool as the table documents them, in its order", async () => {
  const rows = (await documentedRows()).map(([name, effect, , deadline, keeps, , parameters]) => {
    return { name, effect, deadline, keeps, parameters }
  })
  const declared = all.map((tool) => ({
    ...{ name: tool.name, effect: tool.effect, keeps: tool.keep ?? "head", parameters: parametersOf(tool) },
    deadline: tool.deadline === undefined ? "default" : tool.deadline === 0 ? "none" : `${tool.deadline} ms`,
  }))
  expect(declared).toEqual(rows)
  expect(all.filter((tool) => tool.resumable).map(({ name }) => name)).toEqual(["task"])
})

it("needs the permission that the table documents, for what it touches", async () => {
  const directory = await testDirectory({ "a.txt": "" })
  const touched = {
    path: "a.txt",
    paths: "a.txt",
    pattern: "x",
    URL: "https://example.com/",
    name: "release",
    agent: "explore",
  }
  for (const [name, , permissions = ""] of await documentedRows()) {
    const tool = all.find((each) => each.name === name)
    if (!tool) throw new Error(`${name} is documented, and there is no such tool.`)
    const needs =
      (await tool.permissions?.(tool.parse({ ...callOf(tool, "a.txt", directory) }), testPlace(directory))) ?? []
    const [, permission, what = ""] = /^`(\w+)`: (.*?)(?:;|$)/.exec(permissions) ?? []
    const pattern = what === "`*`" ? "*" : (touched[what.split(" ").at(-1) as keyof typeof touched] ?? "ls")
    expect({ name, needs: needs.slice(0, 1) }).toMatchObject({ name, needs: [{ permission, patterns: [pattern] }] })
    const further = permissions
      .split(";")
      .slice(1)
      .map((each) => /`(\w+)`/.exec(each)?.[1])
    // A command that writes nothing needs no leave to edit.
    if (name !== "bash") expect(needs.slice(1).map((need) => need.permission)).toEqual(further)
  }
})

it("has examples in the documentation that do what it says", async () => {
  const text = await readFile(new URL("../../../docs/tools.md", import.meta.url), "utf8")
  const [, path = "", content = ""] = /^`(src\/[^`\n]+)`:\n\n```ts\n([^]*?)^```$/m.exec(text) ?? []
  const directory = await testDirectory({ [path]: content })
  const tools = testTools(directory)
  const examples = [...text.matchAll(/^```json\n([^]*?)^```\n\n```text\n([^]*?)\n```$/gm)]
  for (const [, call = "", output = ""] of examples) {
    const { tool, input } = JSON.parse(call) as { tool: string; input: JSONObject }
    const told = await tools.run(tool, input).then(
      (result) => result.output,
      (error: Error) => error.message,
    )
    expect(told.replaceAll(directory, "/srv/app")).toBe(output)
  }
  expect(examples).toHaveLength(6)
})

it("offers what works on something only where that is there", async () => {
  const rows = await documentedRows()
  const always = rows.filter((row) => row[5] === "always").map(([name]) => name)
  expect(builtinTools().map(({ name }) => name)).toEqual(always)
  expect(builtinTools({ agents: [], skills: [] })).toHaveLength(always.length)
})

it("offers the tools in alphabetical order", () => {
  const names = all.map(({ name }) => name)
  expect(names).toEqual(names.toSorted())
})

it.each(all)("describes $name and its parameters in few words", (tool) => {
  expect(tool.description.length).toBeGreaterThan(50)
  expect(tool.description.length).toBeLessThanOrEqual(800)
  const { properties, ...schema } = tool.inputSchema as { properties: Record<string, { description?: string }> }
  expect(schema).toMatchObject({ type: "object", additionalProperties: false })
  expect(Object.values(properties).every((property) => property.description)).toBe(true)
  expect(schema).not.toHaveProperty("$schema")
})

it("takes an answer about one call for that call, and for nothing wider", async () => {
  const [directory, outside] = [await testDirectory({ ".env": "" }), await testDirectory({ "a.txt": "" })]
  for (const path of [".env", `${outside}/a.txt`]) {
    for (const tool of all) {
      const needs = await tool.permissions?.(tool.parse(callOf(tool, path, outside)), testPlace(directory))
      expect(needs?.length).toBeGreaterThan(0)
      for (const need of needs ?? []) expect(need).not.toHaveProperty("always")
    }
  }
})

it.each(all)("tells the model what is wrong with a call of $name", (tool) => {
  const isAnything = Object.keys(tool.inputSchema["properties"] ?? {}).length === 0
  for (const input of [
    null,
    7,
    "x",
    [],
    ...(isAnything ? [] : [{ [Object.keys(callOf(tool, "a"))[0] ?? ""]: { odd: 1 } }]),
  ]) {
    expect(() => tool.parse(input)).toThrow(`The ${tool.name} tool was called with invalid arguments`)
  }
})

it("hands its options on to webfetch: the version, and what may be reached", async () => {
  const { origin } = await webServer((request, response) => response.end(request.headers["user-agent"]))
  const directory = await testDirectory()
  const options = { version: "1.2.3", allowPrivate: (host: string) => host === "127.0.0.1" }
  expect((await testTools(directory, options).run("webfetch", { url: origin })).output).toContain("pawl/1.2.3")
  await expect(testTools(directory).run("webfetch", { url: origin })).rejects.toThrow("not public")
})
