import { writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { connect } from "@pawl/client"
import { expect, it } from "vitest"
import { inTerminal } from "./terminal.ts"
import { built, jsonLines, workplace, type Workplace } from "./workplace.ts"

async function serving(place: Workplace, replies: readonly (readonly object[])[], ...args: readonly string[]) {
  const path = join(place.configuration, "script.jsonl")
  await writeFile(path, replies.map((reply) => `${JSON.stringify({ reply })}\n`).join(""))
  const server = place.start(["serve", "--script", path, ...args])
  await server.said("oken")
  return server
}

const bash = { tool: "bash", input: { command: "echo made by the server", description: "Says it" } }

it("runs a task on a server, and prints what pawl run prints", async () => {
  const place = await workplace()
  const server = await serving(place, [[{ text: "The answer." }], [{ text: "Another one." }], [{ text: "More." }]])
  const first = await place.pawl(["run", "--attach", "--title", "Far", "a task"])
  expect(first).toMatchObject({ code: 0, stdout: "The answer.\n" })
  expect(first.stderr).toMatch(/1 step .* in http:\/\/127\.0\.0\.1:\d+/s)
  const second = await place.pawl(["run", "--attach", "-c", "--format", "json", "on"])
  expect(second.code).toBe(0)
  const lines = jsonLines(second.stdout)
  expect(lines.map(({ type }) => type)).toEqual(["step_start", "text", "step_finish"])
  expect(JSON.stringify(lines)).toContain("Another one.")
  const sessions = jsonLines((await place.pawl(["session", "list", "--format", "json"])).stdout)
  expect(sessions).toMatchObject([{ title: "Far" }])
  const [, url = ""] = /(http:\S+\d)/.exec(first.stderr) ?? []
  const third = await place.pawl(["run", `--attach=${url}`, "-s", String(sessions[0]?.["id"]), "again"])
  expect(third).toMatchObject({ code: 0, stdout: "More.\n" })
  server.child.kill("SIGINT")
  expect((await server.finished).code).toBe(0)
})

it("asks with the whole command and the change, of which the rule names a part only", async () => {
  const place = await workplace()
  const permission = { bash: "ask", edit: { "*": "allow", "made.txt": "ask" } }
  await writeFile(join(place.configuration, "pawl.jsonc"), JSON.stringify({ permission }))
  const redirected = { tool: "bash", input: { command: "echo first > other.txt", description: "Writes" } }
  const written = { tool: "write", input: { filePath: "made.txt", content: "the new line\n" } }
  await serving(place, [[redirected], [written], [{ text: "Both are made." }]])
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: dirname(place.project),
    PAWL_DATA_DIR: place.data,
    PAWL_CONFIG_DIR: place.configuration,
  }
  const terminal = inTerminal([...built, "run", "--attach", "a task"], { directory: place.project, environment })

  for (const shown of ["echo first > other.txt", "the new line"]) {
    await terminal.shows(shown)
    await expect.poll(() => terminal.text().trimEnd().endsWith("allow?")).toBe(true)
    terminal.type("y\r")
  }
  await terminal.shows("Both are made.")

  expect((await terminal.ended).code).toBe(0)
}, 60_000)

it("denies what needs approval without a terminal, and says so", async () => {
  const place = await workplace()
  await writeFile(join(place.configuration, "pawl.jsonc"), JSON.stringify({ permission: { bash: "ask" } }))
  await serving(place, [[bash], [{ text: "I may not." }]])
  const { code, stdout, stderr } = await place.pawl(["run", "--attach", "a task"])
  expect(stderr).toContain("is denied: no user can be asked here.")
  // The server waited for the answer.
  expect(stderr).not.toContain("this run cannot ask for it")
  expect(code).toBe(1)
  expect(stdout).not.toContain("made by the server")
})

it("aborts the run of the server with Ctrl-C", async () => {
  const place = await workplace()
  await serving(place, [[{ text: "Half" }, { stall: true }]])
  const run = place.start(["run", "--attach", "a task"])
  let shown = ""
  run.child.stdout?.on("data", (text: string) => (shown += text))
  await expect.poll(() => shown).toContain("Half")
  run.child.kill("SIGINT")
  expect((await run.finished).code).toBe(130)
  const client = await connect({ dataDirectory: place.data })
  expect(await client.call("session.status", {})).toEqual({})
})

it.each([
  [["--attach", "x"], "No server of this user is running"],
  [["--attach=nowhere", "x"], 'invalid value "nowhere" for --attach'],
  [["--attach=http://127.0.0.1:1", "x"], "The server's token cannot be read"],
  [["--attach", "--storage", "memory:", "x"], "--storage cannot be used with --attach."],
  [["--attach"], "--attach requires a task."],
  [["--token-file", "t", "x"], "--token-file requires --attach."],
])("says what is wrong with %j", async (args, words) => {
  const place = await workplace()
  const { code, stderr } = await place.pawl(["run", ...args])
  expect(stderr).toContain(words)
  expect(code).toBe(2)
})

it("says that a server refuses the token", async () => {
  const place = await workplace()
  await serving(place, [[{ text: "Hi." }]])
  const environment = { PAWL_SERVE_TOKEN: "another" }
  const { code, stderr } = await place.pawl(["run", "--attach", "x"], { environment })
  expect([code, stderr]).toEqual([2, expect.stringContaining("The server refuses the token.")])
})
