import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { CTRL_C, inTerminal, type TerminalProgram } from "./terminal.ts"
import { built, CACHE, type Running, workplace, type Workplace } from "./workplace.ts"

const hook = { tool: "write", input: { filePath: ".git/hooks/post-commit", content: "#!/bin/sh\n" } }

async function serve(place: Workplace, replies: readonly (readonly object[])[], port = 0): Promise<Running> {
  const path = join(place.configuration, "script.jsonl")
  await writeFile(path, replies.map((reply) => `${JSON.stringify({ reply })}\n`).join(""))
  const server = place.start(["serve", "--script", path, "--port", `${port}`])
  await server.said("The token is in")
  return server
}

/** Opens the UI with the server's address, or with the announced server. */
async function open(place: Workplace, ...args: readonly string[]): Promise<TerminalProgram> {
  const environment = {
    PATH: [dirname(process.execPath), process.env["PATH"]].join(":"),
    HOME: dirname(place.project),
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    XDG_CACHE_HOME: CACHE,
    PAWL_DATA_DIR: place.data,
    PAWL_CONFIG_DIR: place.configuration,
  }
  const terminal = inTerminal([...built, ...args], { directory: place.project, environment })
  // The agent is shown when the session is open.
  await terminal.shows("build")
  return terminal
}

const times = (text: string, part: string) => text.split(part).length - 1

it("shows a session of a server that is killed and started again, with nothing doubled", async () => {
  const place = await workplace()
  await mkdir(join(place.project, ".git"))
  const replies = [[hook], [{ text: "The hook is there." }], [{ text: "Still here." }]]
  const server = await serve(place, replies)
  const terminal = await open(place, "--attach")
  await terminal.shows("Sessions of the server at http://127.0.0.1:")
  const [, port = ""] = /127\.0\.0\.1:(\d+)/.exec(terminal.text()) ?? []

  terminal.type("Add a hook\r")
  await terminal.shows("Allow once")
  // A key that comes before the question could be read goes into the prompt, and Tab puts that aside.
  await expect
    .poll(() => (terminal.type(terminal.text().includes("tab answers") ? "\t" : "1"), terminal.text()), {
      ...{ timeout: 100_000, interval: 1000 },
    })
    .toContain("The hook is there.")
  server.child.kill("SIGKILL")
  await terminal.shows("The server is away since")
  terminal.type(CTRL_C)
  await serve(place, replies, Number(port))
  await terminal.shows("The server is back after")
  terminal.type("And now?\r")
  await terminal.shows("Still here.")
  // The turn has ended.
  await terminal.shows("/help")
  terminal.type("/quit\r")

  expect((await terminal.ended).code).toBe(0)
  const text = terminal.text()
  expect(["> Add a hook", "The hook is there.", "> And now?", "Still here."].map((part) => times(text, part))).toEqual([
    ...[1, 1, 1, 1],
  ])
  expect(text).toMatch(/go on: .*--attach=http:\S+\s+-s ses_\w+/)

  const again = await open(place, "--attach", `http://127.0.0.1:${port}`, "-c")
  await again.shows("Still here.")
  again.type("/quit\r")
  expect((await again.ended).code).toBe(0)
})

it("leaves what it has of an answer in the scrollback, if the user leaves before the end", async () => {
  const place = await workplace()
  await mkdir(join(place.project, ".git"))
  await serve(place, [[{ text: "It has begun\n\nand goes" }, { wait: 60_000 }, { text: "on" }]])
  const terminal = await open(place, "--attach")
  terminal.type("Begin\r")
  await terminal.shows("and goes")
  terminal.type("/quit\r")

  expect((await terminal.ended).code).toBe(0)
  expect(times(terminal.text(), "and goes")).toBe(1)
})

it("names what is missing or cannot be combined", async () => {
  const place = await workplace()

  const none = await place.pawl(["tui", "--plain", "--attach"])
  const other = await place.pawl(["tui", "--plain", "--attach", "--storage", "memory:"])
  const word = await place.pawl(["tui", "--plain", "http://127.0.0.1:4096"])
  const token = await place.pawl(["tui", "--plain", "--token-file", "x"])

  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("No server of this user is running.")])
  expect(other.stderr).toContain("--storage cannot be used with --attach.")
  expect(word.stderr).toContain('unexpected argument "http://127.0.0.1:4096"')
  expect(token.stderr).toContain("--token-file requires --attach.")
})
