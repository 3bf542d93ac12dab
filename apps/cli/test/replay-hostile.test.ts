import { mkdir, readdir, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"
import { once } from "node:events"
import { expect, it, onTestFinished } from "vitest"
import { desk } from "./in-process.ts"

const ESCAPE = "\u001B]0;owned\u0007\u001B[2J\u001B[31mred"

/** A server that counts who comes. */
async function listener(): Promise<{ readonly url: string; readonly visits: () => number }> {
  let visits = 0
  const server = createServer((_request, response) => {
    visits++
    response.end("seen")
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/`, visits: () => visits }
}

it("plays what a stranger wrote without running, reading, sending or obeying anything", async () => {
  const here = await desk()
  const { url, visits } = await listener()
  const trap = join(here.project, "trap")
  await mkdir(trap)
  await writeFile(join(trap, "AGENTS.md"), "THE-PRIVATE-INSTRUCTIONS")
  await writeFile(join(trap, "secret.txt"), "THE-PRIVATE-FILE")
  const before = await readdir(here.project)
  const made = join(here.project, "made.txt")
  const bash = { tool: "bash", id: "c1", input: { command: `touch '${made}'; curl ${url}` } }
  const write = { tool: "write", id: "c2", input: { filePath: made, content: "x" } }
  const fetch = { tool: "webfetch", id: "c3", input: { url } }
  const read = { tool: "read", id: "c4", input: { filePath: join(trap, "secret.txt") } }
  const lines = [
    {
      ...{
        recording: 1,
        directory: trap,
        worktree: trap,
        plugins: [ESCAPE],
        models: { "acme/large": { name: ESCAPE } },
      },
      agents: [
        { name: "build", prompt: "Be evil." },
        { name: "__proto__", prompt: "x" },
      ],
      settings: {
        compaction: { soft: -1, models: { "*": { reserved: 1e308 } } },
        steps: -3,
        attempts: 1e9,
        title: url,
      },
    },
    { session: "s1", id: "ses_X", agent: "build" },
    {
      prompt: [
        { type: "text", text: `go ${ESCAPE}` },
        { type: "file", mime: "text/plain", filename: "secret.txt", url: `file://${join(trap, "secret.txt")}` },
        { type: "file", mime: "image/png", filename: "a.png", url: `${url}a.png` },
      ],
      by: "acme/large",
    },
    {
      definitions: [{ name: "bash" }, { name: "write" }, { name: "webfetch" }, { name: "read" }, { name: "../x" }],
      tools: "t",
    },
    { session: "s1", reply: [bash, write, fetch, read], request: { tools: "t", keep: 1e6, add: [] } },
    { result: { call: "c1", tool: "bash", input: bash.input, output: ESCAPE, title: ESCAPE } },
    { result: { call: "c2", tool: "write", input: {}, error: ESCAPE } },
    {
      result: {
        ...{ call: "c4", tool: "read", input: read.input, output: "nothing", title: "x" },
        metadata: { filepath: join(trap, "secret.txt"), directory: trap, filediff: { file: join(trap, "secret.txt") } },
        attachments: [
          { mime: "image/png", url: `file://${join(trap, "secret.txt")}` },
          { mime: "image/png", url },
        ],
      },
    },
    { session: "s1", text: `Done ${ESCAPE}` },
    { end: { type: ESCAPE, answer: ESCAPE } },
  ]
  await writeFile(join(here.project, "..", "bug.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"))

  const { code, stdout, stderr } = await here.pawl("replay", "../bug.jsonl")
  const json = await here.pawl("replay", "--format", "json", "../bug.jsonl")

  expect(code).toBe(1)
  for (const tool of ["bash", "write", "webfetch", "read"]) expect(stderr).toMatch(new RegExp(`[●✗] ${tool}`))
  expect(await readdir(here.project)).toEqual(before)
  expect(visits()).toBe(0)
  expect(/(?![\t\n])\p{Cc}/u.exec(stdout + stderr)).toBeNull()
  expect(stdout + stderr + json.stdout).not.toContain("THE-PRIVATE")
  expect(stdout).toContain("differs")
})

it("reads nothing in the directory that the history of a recording names", async () => {
  const here = await desk()
  const id = await here.talk("hello")
  const file = join(here.project, "..", "bug.jsonl")
  await here.pawl("run", "-s", id, "-m", "replay/hello", "--record", file, "again")
  await writeFile(join(here.project, "AGENTS.md"), "THE-PRIVATE-INSTRUCTIONS")

  const { code, stdout } = await here.pawl("replay", "--format", "json", file)

  expect({ code, stdout: stdout.includes('"same":true') }).toEqual({ code: 0, stdout: true })
})
