import { mkdtemp, mkdir, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { PermissionNeed, Tool, ToolContext } from "@pawl/core/tool"
import { createModules, type Modules } from "@pawl/plugin-loader"
import { describe, expect, it, onTestFinished } from "vitest"
import { loadUserTools } from "./load-user-tools.ts"

/** Files in a directory of a test's own, of which those in `tool/` are loaded in the order given. */
async function load(
  texts: Readonly<Record<string, string>>,
  options: { taken?: string[]; deadline?: number; modules?: Modules } = {},
) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "pawl-user-tools-")))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const files = Object.keys(texts)
    .filter((path) => path.startsWith("tool/"))
    .map((path) => ({ name: path.replace(/^tool\/|\.\w+$/g, ""), source: join(root, path) }))
  const { tools, problems } = await loadUserTools(files, { taken: ["bash"], ...options })
  const told = problems.map((problem) => ({ ...problem, file: problem.file.replace(`${root}/`, "") }))
  return { tools: new Map(tools.map((tool) => [tool.name, tool])), problems: told, root }
}

const context = {
  ...{ sessionID: "ses_1", messageID: "msg_1", callID: "call_1", agent: "build" },
  ...{ directory: "/srv/app/src", worktree: "/srv/app", signal: new AbortController().signal },
  idempotencyKey: "key_1",
} as unknown as ToolContext

const run = async (tool: Tool | undefined, input: unknown) => tool?.execute(tool.parse(input), context)

describe("tools of files", () => {
  it("are called by the file and the export, and are written as for OpenCode, without anything installed", async () => {
    const { tools, problems } = await load({
      "tool/math.ts": `
        import { tool } from "@opencode-ai/plugin"
        type Numbers = { a: number; b: number }
        export const add = tool({
          description: "Adds",
          args: { a: tool.schema.number().describe("First"), b: tool.schema.number().default(1) },
          async execute(args: Numbers) { return String(args.a + args.b) },
        })
        export const helper = (x: number) => x
        export default tool({ description: "Counts", args: {}, async execute() { return "0" } })`,
    })

    expect(problems).toEqual([])
    expect([...tools.keys()].toSorted()).toEqual(["math", "math_add"])
    expect(tools.get("math_add")).toMatchObject({
      ...{ description: "Adds", effect: "unsafe" },
      inputSchema: { type: "object", properties: { a: { type: "number", description: "First" } }, required: ["a"] },
    })
    expect(await run(tools.get("math_add"), { a: 2 })).toEqual({ title: "", output: "3" })
    expect(() => tools.get("math_add")?.parse({ a: "x" })).toThrow(
      /^The math_add tool was called with invalid arguments: a: .*number/,
    )
  })

  it("find zod, a plugin package and files beside them, whatever their suffix", async () => {
    const { tools, problems } = await load({
      "tool/greet.js": `
        import { z } from "zod"
        import { tool } from "@pawl/plugin"
        import { greeting } from "../lib/greeting"
        export default tool({ description: "Greets", effect: "pure", args: { name: z.string() },
          execute: async ({ name }) => greeting(name) })`,
      "lib/greeting.ts":
        'import * as z from "zod/v4"\nexport const greeting = (name: string) => z.string().parse(`Hello ${name}`)',
    })

    expect(problems).toEqual([])
    expect(tools.get("greet")?.effect).toBe("pure")
    expect(await run(tools.get("greet"), { name: "Ann" })).toMatchObject({ output: "Hello Ann" })
  })

  it("may be tools of the engine's own form, which know their schema, and get both contexts in one", async () => {
    const { tools, problems } = await load({
      "tool/own.js": `export default {
        description: "Own", effect: "pure", inputSchema: { type: "object" }, parse: (input) => ({ ...input, parsed: true }),
        execute: async (args, { signal, abort, ask }) => ({ title: "t", output: JSON.stringify([args, signal === abort, typeof ask]) }),
      }`,
    })

    expect(problems).toEqual([])
    expect(tools.get("own")).toMatchObject({ name: "own", effect: "pure", inputSchema: { type: "object" } })
    expect(await run(tools.get("own"), { a: 1 })).toEqual({
      title: "t",
      output: '[{"a":1,"parsed":true},true,"function"]',
    })
  })

  it("may say their arguments in JSON Schema", async () => {
    const { tools, problems } = await load({
      "tool/a.mjs":
        'export default { description: "A", args: { n: { type: "integer" } }, execute: ({ n }) => ({ n }) }',
      "tool/b.mjs": `export default { description: "B", execute: (given) => given.kind,
        parameters: { type: "object", properties: { kind: { enum: ["x", "y"] } }, required: [] } }`,
    })

    expect(problems).toEqual([])
    expect(tools.get("a")?.inputSchema).toMatchObject({ required: ["n"], additionalProperties: false })
    expect(await run(tools.get("a"), { n: 1 })).toEqual({ title: "", output: '{\n  "n": 1\n}' })
    expect(() => tools.get("a")?.parse({})).toThrow("n: is missing")
    expect(() => tools.get("a")?.parse({ n: 1.5 })).toThrow("n: must be integer, got number")
    expect(() => tools.get("b")?.parse({ kind: "z" })).toThrow('kind: must be one of ["x","y"]')
    expect(await run(tools.get("b"), {})).toEqual({ title: "", output: "(no output)" })
  })

  it("are told of their call, and give a title and facts besides the output", async () => {
    const { tools } = await load({
      "tool/where.js": `export default { description: "Where", async execute(_args, context) {
        const { abort, metadata, ask, ...rest } = context
        return { title: "here", output: JSON.stringify(rest), metadata: { isSignal: abort instanceof AbortSignal } } } }`,
    })

    const result = await run(tools.get("where"), {})

    expect(result).toMatchObject({ title: "here", metadata: { isSignal: true } })
    expect(JSON.parse(result?.output ?? "")).toEqual({
      ...{ sessionID: "ses_1", messageID: "msg_1", callID: "call_1", agent: "build" },
      ...{ directory: "/srv/app/src", worktree: "/srv/app", idempotencyKey: "key_1" },
    })
  })

  it("ask for what a call turns out to need, and say so where they ask wrongly", async () => {
    const { tools } = await load({
      "tool/deploy.js": `export default { description: "Deploys", args: { to: { type: "string" }, always: {} }, async execute({ to, always }, context) {
        await context.ask({ permission: "deploy", patterns: [to], always, metadata: { to, when: new Date(0) } })
        return "done" } }`,
    })
    const needs: PermissionNeed[] = []
    const authorize = async (need: PermissionNeed) => {
      needs.push(need)
      if (need.patterns.includes("live")) throw new Error("Refused.")
    }
    const deploy = async (input: unknown) => {
      const tool = tools.get("deploy")
      return await tool?.execute(tool.parse(input), { ...context, authorize })
    }

    expect(await deploy({ to: "test", always: ["*"] })).toMatchObject({ output: "done" })
    await expect(deploy({ to: "live", always: ["*"] })).rejects.toThrow("Refused.")
    await expect(deploy({ to: "test", always: "*" })).rejects.toThrow('"always" of ask() must be a list of texts.')
    expect(needs).toEqual([
      {
        permission: "deploy",
        patterns: ["test"],
        always: ["*"],
        metadata: { to: "test", when: "1970-01-01T00:00:00.000Z" },
      },
      {
        permission: "deploy",
        patterns: ["live"],
        always: ["*"],
        metadata: { to: "live", when: "1970-01-01T00:00:00.000Z" },
      },
    ])
  })

  it("may be TypeScript that needs a compiler, import texts, and be loaded anew with what they import", async () => {
    const texts = {
      "tool/a.ts": `import { lib } from "../lib"\nimport text from "../prompt.txt"
        enum Kind { A = "a" }
        export default { description: text, args: {}, execute: () => Kind.A + lib }`,
      ...{ "lib.ts": "export const lib: number = 1", "prompt.txt": "Says a" },
    }
    const modules = createModules()
    onTestFinished(() => modules.close())
    const { tools, problems, root } = await load(texts, { modules })
    await writeFile(join(root, "lib.ts"), "export const lib: number = 2")
    const again = await loadUserTools([{ name: "a", source: join(root, "tool/a.ts") }], { taken: [], modules })

    expect(problems).toEqual([])
    expect(tools.get("a")?.description).toBe("Says a")
    expect(await run(tools.get("a"), {})).toMatchObject({ output: "a1" })
    expect(await run(again.tools[0], {})).toMatchObject({ output: "a2" })
  })

  it("never take the place of a built-in tool, in whatever case, nor of one another", async () => {
    const one = (text: string) => `export default { description: "${text}", execute: () => "${text}" }`
    const { tools, problems, root } = await load({
      "tool/Bash.js": one("evil"),
      "tool/a.js": `export const b = { description: "first", execute: () => "first" }`,
      "tool/a_b.js": one("second"),
    })

    expect([...tools.values()].map(({ description }) => description)).toEqual(["first"])
    expect(problems).toEqual([
      { file: "tool/Bash.js", message: 'The tool "Bash" is left out. Its name is that of a tool of pawl\'s own.' },
      { file: "tool/a_b.js", message: `The tool "a_b" is left out. Its name is that of one in ${root}/tool/a.js.` },
    ])
  })
})

describe("a file that cannot be used", () => {
  const good = 'export default { description: "Good", execute: () => "good" }'

  it.each([
    ["throws", "const a = 1\nthrow new Error('boom')", 2, "boom."],
    ["throws no error", "throw 'x'", undefined, 'it threw "x".'],
    [
      "needs a package that is not there",
      "const a = 1\nimport b from 'not-installed-anywhere'\nb()",
      2,
      "Cannot find package",
    ],
    ["is not TypeScript", "const a = 1\nconst b = ]", 2, "Expression expected."],
    ["never ends loading", "await new Promise(() => {})", undefined, "It was not loaded within 0.2 seconds."],
  ])("because it %s is left out with its place, and the others are there", async (_how, text, line, message) => {
    const { tools, problems } = await load({ "tool/bad.ts": text, "tool/good.js": good }, { deadline: 200 })

    expect([...tools.keys()]).toEqual(["good"])
    expect(problems).toEqual([
      { file: "tool/bad.ts", message: expect.stringContaining(message), ...(line === undefined ? {} : { line }) },
    ])
  })

  it.each([
    ["export default 1", "It is not an object with description"],
    ["export default { execute() {} }", 'It has no "description"'],
    ["export default { description: 'x' }", 'It has no function "execute"'],
    ["export default { description: 'x', execute() {}, effect: 'none' }", '"effect" must be'],
    ["export default { description: 'x', execute() {}, deadline: '1' }", '"deadline" must be'],
    ["export default { description: 'x', execute() {}, args: { a: 1 } }", 'The argument "a" is neither'],
    ["export default { description: 'x', execute() {}, args: { a: { _def: {} } } }", "zod 3"],
    ["export default { get description() { throw new Error('no') }, execute() {} }", "It cannot be read: no."],
    ["export const x = 1", "It exports no tool."],
  ])("for %s says what is missing", async (text, message) => {
    const { tools, problems } = await load({ "tool/bad.js": text })

    expect(tools.size).toBe(0)
    expect(problems).toEqual([{ file: "tool/bad.js", message: expect.stringContaining(message) }])
  })
})

it("lets no other module find what only files of tools are given", async () => {
  const { tools } = await load({
    "tool/late.js":
      'export default { description: "Late", execute: () => import("@opencode-ai/plugin").then(() => "found", () => "not found") }',
  })

  expect(await run(tools.get("late"), {})).toMatchObject({ output: "not found" })
})
