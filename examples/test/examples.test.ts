import { once } from "node:events"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { text as textOf } from "node:stream/consumers"
import { call, reply, stall, text, unauthorized } from "@pawl/model-server"
import { expect, it } from "vitest"
import { AUTHORIZED, deltas, listening, post, results, sent, serverSentEvents, TOKEN } from "./exchange.ts"
import { EXAMPLES, place, source } from "./place.ts"

const require = createRequire(import.meta.url)

it("one-answer.ts reads a file and answers", async () => {
  const { run, server, directory } = await place([
    reply(call("read", { filePath: "parser.js" })),
    reply(text("It splits lines.")),
  ])
  await writeFile(join(directory, "parser.js"), "export const parse = (text) => text.split('\\n')\n")

  expect(await run("one-answer.ts", "What does the parser do?")).toEqual({
    code: 0,
    stdout: "It splits lines.\n",
    stderr: "",
  })
  expect(sent(server, 0)).toContain("What does the parser do?")
  expect(sent(server, 1)).toContain("text.split")
})

it("one-answer.ts says why there is no answer", async () => {
  const { run } = await place([unauthorized()])
  expect(await run("one-answer.ts")).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/\S/) })
})

it("stream-over-http.ts sends the events of each run to its own client", async () => {
  const { start } = await place([reply(text(["One ", "answer."])), reply(text("Another."))])
  const url = await listening(start("stream-over-http.ts", [], { PORT: "0", TOKEN }))

  const first = serverSentEvents(await post(url, "Say one"))
  const second = serverSentEvents(await post(url, "Say another"))

  expect(deltas(first)).toBe("One answer.")
  expect(first.at(-1)).toMatchObject({ type: "answered", text: "One answer." })
  expect(deltas(second)).toBe("Another.")
  const ids = [first, second].map((events) => new Set(events.flatMap((event) => event.properties?.sessionID ?? [])))
  expect(ids.map(({ size }) => size)).toEqual([1, 1])
  expect(ids[0]).not.toEqual(ids[1])
})

it("stream-over-http.ts answers an invalid request and goes on", async () => {
  const { start } = await place([reply(text("Still here."))])
  const url = await listening(start("stream-over-http.ts", [], { PORT: "0", TOKEN }))

  expect(serverSentEvents(await post(url, ""))).toEqual([{ type: "failed", text: expect.stringMatching(/\S/) }])
  expect(serverSentEvents(await post(url, "Hello")).at(-1)).toMatchObject({ text: "Still here." })
})

it("stream-over-http.ts refuses a request without its token", async () => {
  const { start, server } = await place([])
  const url = await listening(start("stream-over-http.ts", [], { PORT: "0", TOKEN }))

  for (const headers of [{}, { authorization: "Bearer undefined" }]) {
    expect((await fetch(url, { method: "POST", body: "Hello", headers })).status).toBe(401)
  }
  expect(server.requests).toEqual([])
})

it("stream-over-http.ts aborts the run of a client that leaves", async () => {
  const { start, server } = await place([reply(text("I begin"), stall()), reply(text("Still here."))])
  const url = await listening(start("stream-over-http.ts", [], { PORT: "0", TOKEN }))

  const leaving = new AbortController()
  const response = await fetch(url, { method: "POST", body: "Go", headers: AUTHORIZED, signal: leaving.signal })
  const reader = response.body?.getReader()
  let received = ""
  while (!received.includes("I begin")) received += Buffer.from((await reader?.read())?.value ?? []).toString()
  leaving.abort()

  await expect.poll(() => server.requests[0]?.aborted).toBe(true)
  expect(serverSentEvents(await post(url, "Hello")).at(-1)).toMatchObject({ text: "Still here." })
})

it("own-tool.ts deploys what its rule allows, and the model reads why not the other", async () => {
  const { run, server } = await place([
    reply(call("deploy", { target: "staging" }), call("deploy", { target: "production" }), call("deploy", {})),
    reply(text("Staging is deployed.")),
  ])
  expect(await run("own-tool.ts")).toEqual({ code: 0, stdout: "Staging is deployed.\n", stderr: "" })
  expect(results(server, 1)).toEqual([
    "Deployed to staging.",
    expect.stringContaining("Staging only."),
    expect.stringContaining("deploy needs a target"),
  ])
})

it.runIf(process.platform === "linux")("continue-after-kill.ts continues where it was killed", async () => {
  const { run, start, server, directory } = await place([
    reply(call("bash", { command: "echo $$ > shell; exec sleep 600", description: "Runs the tests" })),
    reply(text("The tests pass.")),
  ])
  const child = start("continue-after-kill.ts")
  const shell = async () => Number(await readFile(join(directory, "shell"), "utf8").catch(() => ""))
  await expect.poll(shell).toBeGreaterThan(0)
  child.kill("SIGKILL")
  await once(child, "close")

  expect(await run("continue-after-kill.ts")).toEqual({
    code: 0,
    stdout: "continued: answered The tests pass.\n",
    stderr: "",
  })
  expect(server.requests).toHaveLength(2)
  expect(results(server, 1)).toEqual([expect.stringMatching(/interrupted|stopped/)])
  expect(await run("continue-after-kill.ts")).toMatchObject({ stdout: "continued: answered The tests pass.\n" })
})

it("own-storage.ts writes a line for each commit", async () => {
  const { run, directory } = await place([reply(text("Hello."))])
  expect(await run("own-storage.ts")).toEqual({ code: 0, stdout: "Hello.\n", stderr: "" })

  const lines = (await readFile(join(directory, "commits.jsonl"), "utf8")).trimEnd().split("\n")
  const commits = lines.map((line) => JSON.parse(line) as { readonly revision: number; readonly types: string[] })
  expect(commits.map(({ revision }) => revision)).toEqual(commits.map((_, at) => at + 1))
  expect(commits[0]?.types).toEqual(expect.arrayContaining(["session.put", "message.put", "part.put"]))
})

it("guard-plugin.ts refuses a secret and lets the model read something else", async () => {
  const { run, directory, server } = await place([
    reply(call("read", { filePath: ".env" })),
    reply(call("read", { filePath: "settings.example" })),
    reply(text("It needs PORT.")),
  ])
  await writeFile(join(directory, ".env"), "KEY=hidden\n")
  await writeFile(join(directory, "settings.example"), "PORT=80\n")

  const { code, stdout } = await run("guard-plugin.ts")
  expect(code).toBe(0)
  expect(stdout).toMatch(/^read: .*read may not use \.env files\. Read \.env\.example\.\nIt needs PORT\.\n$/)
  expect(sent(server, 2)).not.toContain("hidden")
  expect(sent(server, 2)).toContain("PORT=80")
})

it("mcp-server.ts offers and calls the server's tools", async () => {
  const { run, server } = await place([reply(call("demo_get-sum", { a: 2, b: 40 })), reply(text("42"))])
  const everything = require.resolve("@modelcontextprotocol/server-everything/dist/index.js")

  const { code, stdout } = await run("mcp-server.ts", process.execPath, everything, "stdio")
  expect({ code, stdout }).toEqual({ code: 0, stdout: "42\ndemo: connected\n" })
  expect(results(server, 1)).toEqual([expect.stringContaining("42")])
})

it("own-provider.ts answers without a network", async () => {
  const { run, server } = await place([])
  expect(await run("own-provider.ts")).toEqual({ code: 0, stdout: "SAY HELLO\n", stderr: "" })
  expect(server.requests).toEqual([])
})

it("budget.ts stops at a limit, and continues if the user wants it", async () => {
  const look = (filePath: string) => reply(call("read", { filePath }))
  const { start, directory } = await place([look("a.js"), look("b.js"), look("c.js"), reply(text("Three files."))])
  for (const name of ["a.js", "b.js", "c.js"]) await writeFile(join(directory, name), "1\n")
  const child = start("budget.ts")
  child.stdin.write("yes\n")

  expect(await textOf(child.stdout)).toBe(
    "Stopped after 2 steps. Continue? (yes/no)\nanswered Three files.\ncost: $0.00\n",
  )
})

it("record-and-replay.ts plays in the second run what it recorded in the first", async () => {
  const { run, directory, server } = await place([
    reply(call("read", { filePath: "package.json" })),
    reply(text("It names vitest.")),
  ])
  await writeFile(join(directory, "package.json"), '{ "devDependencies": { "vitest": "5" } }\n')

  expect(await run("record-and-replay.ts")).toMatchObject({ code: 0, stdout: "recorded: It names vitest.\n" })
  expect(server.requests).toHaveLength(2)
  await server.close()
  expect(await run("record-and-replay.ts")).toMatchObject({ code: 0, stdout: "played: It names vitest.\n" })
})

it("each example has from 20 to 40 lines, and is run here", async () => {
  const names = (await readdir(EXAMPLES)).filter((name) => name.endsWith(".ts") && name !== "vitest.config.ts")
  const tests = await readFile(new URL(import.meta.url), "utf8")

  expect(names).toHaveLength(10)
  const sources = await Promise.all(names.map(async (name) => ({ name, lines: linesOf(await source(name)) })))
  expect(sources.filter(({ lines }) => lines < 20 || lines > 40)).toEqual([])
  expect(names.filter((name) => !tests.includes(`run("${name}"`) && !tests.includes(`start("${name}"`))).toEqual([])
})

it("docs/embedding.md quotes five programs of at most 30 lines as they are", async () => {
  const page = await readFile(new URL("../docs/embedding.md", EXAMPLES), "utf8")
  const quoted = [...page.matchAll(/^\[`([a-z-]+\.ts)`\]\(\.\.\/examples\/\1\):\n\n```ts\n(.*?)^```$/gms)]

  expect(quoted).toHaveLength(5)
  for (const [, name = "", program = ""] of quoted)
    expect({ name, program }).toEqual({ name, program: await source(name) })
  expect(quoted.filter(([, , program = ""]) => linesOf(program) > 30).map(([, name]) => name)).toEqual([])
})

function linesOf(text: string): number {
  return text.trimEnd().split("\n").length
}
