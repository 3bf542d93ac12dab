import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { workplace } from "./workplace.ts"

const TOOL = `import { tool } from "@opencode-ai/plugin"
export default tool({
  description: "Doubles a number",
  args: { n: tool.schema.number() },
  async execute({ n }: { n: number }) { return { title: "doubled", output: String(2 * n) } },
})
`

const write = async (root: string, path: string, content: string) => {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}

it("offers the user's own tools, and a project's once it is trusted; files that fail are told of", async () => {
  const { project, configuration, pawl } = await workplace()
  await write(configuration, "tool/double.ts", TOOL)
  await write(configuration, "tool/broken.js", 'export const a = 1\nthrow new Error("boom")\n')
  await write(
    project,
    ".pawl/tool/mine.js",
    'export default { description: "Mine", execute: () => "from the project" }',
  )
  await using server = await modelServer({
    replies: [
      reply(call("double", { n: "x" })),
      reply(call("double", { n: 21 }), call("mine", {})),
      reply(text("42.")),
      reply(call("mine", {})),
      reply(text("Done.")),
    ],
  })
  const args = ["run", "-m", "custom/test", "--base-url", server.url]

  const untrusted = await pawl([...args, "double 21"])
  const trusted = await pawl([...args, "--trust", "use mine"])

  expect(untrusted).toMatchObject({ code: 0, stdout: "42.\n" })
  expect(untrusted.stderr).toMatch(/tool\/broken\.js:2: It cannot be loaded: boom\./)
  const [first, second, third, , last] = server.requests.map((request) => chatRequest(request))
  const names = (request: typeof first) => JSON.stringify((request as { tools?: unknown }).tools)
  expect(names(first)).toContain('"double"')
  expect(names(first)).not.toContain('"mine"')
  expect(JSON.stringify(second?.messages.at(-1))).toContain("The double tool was called with invalid arguments: n:")
  expect(JSON.stringify(third?.messages.slice(-2))).toContain('"42"')
  expect(trusted).toMatchObject({ code: 0, stdout: "Done.\n" })
  expect(JSON.stringify(last?.messages.at(-1))).toContain("from the project")
})

it("asks for the permission of the tool's name", async () => {
  const { configuration, pawl } = await workplace()
  await write(configuration, "tool/double.ts", TOOL)
  await write(configuration, "pawl.jsonc", '{ "permission": { "double": "ask" } }')
  await using server = await modelServer({ replies: [reply(call("double", { n: 1 }))] })

  const run = await pawl(["run", "-m", "custom/test", "--base-url", server.url, "go"])

  expect(run.code).toBe(3)
  expect(run.stderr).toContain("double")
})
