import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, type ChatContentPart, chatRequest, finish, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines, workplace } from "./workplace.ts"

/** One black pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="

const sum = "export const sum = (a, b) => a - b\n"

it("does a task with tools: the answer on stdout, what was done on stderr, exit code 0", async () => {
  const { project, pawl } = await workplace()
  await writeFile(join(project, "sum.js"), sum)
  await using server = await modelServer({
    replies: [
      reply(text("Looking."), call("read", { filePath: "sum.js" })),
      reply(call("edit", { filePath: "sum.js", oldString: "a - b", newString: "a + b" })),
      reply(text("Fixed the sum.")),
    ],
  })

  const run = await pawl(["run", "-m", "custom/test", "--base-url", server.url, "fix", "the sum"])

  expect(run).toMatchObject({ code: 0, stdout: "Looking.\n\nFixed the sum.\n" })
  expect(run.stderr).toContain("● read sum.js · 1 line\n")
  expect(run.stderr).toContain("● edit sum.js · +1 -1\n  - export const sum = (a, b) => a - b\n")
  expect(run.stderr).toMatch(/^3 steps · 2 tool calls · .* tokens in, \d+ out · .* · custom\/test$/m)
  expect(await readFile(join(project, "sum.js"), "utf8")).toBe("export const sum = (a, b) => a + b\n")
  expect(server.requests.map(({ status }) => status)).toEqual([200, 200, 200])
})

it("sends the words of the task joined by spaces and nothing else", async () => {
  const { pawl } = await desk()
  await using server = await modelServer({ replies: [reply(text("Yes."))] })

  await pawl("run", "-m", "custom/test", "--base-url", server.url, "two words", "more", "--", "--and", "-this")

  expect(server.requests[0]?.body).toMatchObject({
    messages: [{}, { role: "user", content: "two words more --and -this" }],
  })
})

it("prints JSON lines on stdout and nothing else", async () => {
  const { project, pawl } = await workplace()
  await writeFile(join(project, "sum.js"), sum)
  await using server = await modelServer({
    replies: [reply(text("Looking."), call("read", { filePath: "sum.js" })), reply(text("It subtracts."))],
  })

  const run = await pawl(["run", "--format", "json", "-m", "custom/test", "--base-url", server.url, "explain"])

  const lines = jsonLines(run.stdout)
  expect(run).toMatchObject({ code: 0, stderr: "" })
  expect(lines.map(({ type }) => type)).toEqual([
    ...["step_start", "text", "tool_use", "step_finish"],
    ...["step_start", "text", "step_finish"],
  ])
  expect(new Set(lines.map(({ sessionID }) => sessionID)).size).toBe(1)
  expect(lines[2]).toMatchObject({
    timestamp: expect.any(Number),
    part: { type: "tool", tool: "read", state: { status: "completed", input: { filePath: "sum.js" } } },
  })
  expect(lines.at(-2)).toMatchObject({ part: { type: "text", text: "It subtracts." } })
})

it("reads the task from stdin for -, and passes on ten megabytes of it", async () => {
  const { pawl } = await workplace()
  await using server = await modelServer({ replies: [reply(text("Long."))] })
  const task = `${"ä word ".repeat(1_250_000)}end`

  const run = await pawl(["run", "-m", "custom/test", "--base-url", server.url, "-"], { stdin: `${task}\n` })

  expect(run).toMatchObject({ code: 0, stdout: "Long.\n" })
  expect(chatRequest(server.requests[0]).messages.at(-1)?.content === task).toBe(true)
})

it("does not read stdin when the task is in the arguments", async () => {
  const { start } = await workplace()
  await using server = await modelServer({ replies: [reply(text("Done."))] })

  const { finished } = start(["run", "-m", "custom/test", "--base-url", server.url, "go"], { stdin: "never read" })

  await finished
  expect(JSON.stringify(server.requests[0]?.body)).not.toContain("never read")
})

it("attaches text files as text and images as images", async () => {
  const { project, pawl } = await desk()
  await writeFile(join(project, "sum.js"), sum)
  await writeFile(join(project, "dot.png"), Buffer.from(PNG, "base64"))
  await using server = await modelServer({ replies: [reply(text("Seen."))] })
  const files = ["-f", "sum.js", "-f", "dot.png", "-f", "."]

  const run = await pawl("run", "-m", "custom/test", "--base-url", server.url, ...files, "look")

  expect(run.code).toBe(0)
  const content = chatRequest(server.requests[0]).messages.at(-1)?.content as ChatContentPart[]
  expect(content.map(({ type }) => type)).toEqual(["text", "text", "image_url", "text"])
  expect(content[1]?.text).toContain(`sum.js:\n<content>\n${sum}</content>`)
  expect(content[3]?.text).toContain("dot.png\nsum.js")
})

it("goes on with the newest session of the directory for -c, and with any for -s", async () => {
  const { pawl } = await desk()
  await using server = await modelServer({ replies: ["One.", "Two.", "Three."].map((answer) => reply(text(answer))) })
  const model = ["-m", "custom/test", "--base-url", server.url]

  const first = await pawl("run", ...model, "first")
  const second = await pawl("run", "-c", "--base-url", server.url, "second")
  const id = /session (ses_\w+)/.exec(first.stderr)?.[1] ?? ""
  const third = await pawl("run", "-s", id, "--base-url", server.url, "third")

  expect([first.stdout, second.stdout, third.stdout]).toEqual(["One.\n", "Two.\n", "Three.\n"])
  expect(second.stderr).toContain(`session ${id}`)
  const { messages } = chatRequest(server.requests[2])
  expect(messages.slice(1).map(({ content }) => content)).toEqual(["first", "One.", "second", "Two.", "third"])
})

it("refuses what has to be asked where nobody can be, and names permission, pattern and tool", async () => {
  const { project, pawl } = await desk()
  await writeFile(join(project, ".env"), "SECRET=1\n")
  await using server = await modelServer({ replies: [reply(call("read", { filePath: ".env" }))] })

  const run = await pawl("run", "--format", "json", "-m", "custom/test", "--base-url", server.url, "read it")

  expect(run.code).toBe(3)
  expect(jsonLines(run.stdout).at(-1)).toMatchObject({
    type: "error",
    error: { name: "PermissionDeniedError", data: { permission: "read", pattern: ".env", tool: "read" } },
  })
})

it("fails when the answer is cut, prints what there is of it, and can be continued", async () => {
  const { pawl } = await desk()
  await using server = await modelServer({
    replies: [reply(text("One, two"), finish("length")), reply(text(", three."))],
  })
  const custom = ["-m", "custom/test", "--base-url", server.url]

  const run = await pawl("run", ...custom, "count")
  const rest = await pawl("run", "-c", ...custom, "go on")

  expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining("One, two") })
  expect(run.stderr).toContain("reached its output limit, so the answer is cut")
  expect(rest).toMatchObject({ code: 0, stdout: expect.stringContaining(", three.") })
  expect(JSON.stringify(server.requests[1]?.body)).toContain("One, two")
})

it("fails when the model has nothing to say", async () => {
  const { pawl } = await desk()
  await using server = await modelServer({ replies: [reply(finish("length"))] })

  const run = await pawl("run", "-m", "custom/test", "--base-url", server.url, "go")

  expect(run).toMatchObject({ code: 1, stdout: "" })
  expect(run.stderr).toContain("before it said anything")
})
