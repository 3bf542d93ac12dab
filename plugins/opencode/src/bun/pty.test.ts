import { execFile } from "node:child_process"
import { copyFile, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it, onTestFinished } from "vitest"
import { Terminal, type TerminalExit, type TerminalOptions } from "./pty.ts"

/** Starts a terminal, and collects its output until it exits. */
function open(file: string, args: readonly string[], options?: TerminalOptions) {
  const terminal = new Terminal(file, args, options)
  let output = ""
  const news = new EventTarget()
  terminal.onData((data) => {
    output += data
    news.dispatchEvent(new Event("data"))
  })
  const ended = new Promise<TerminalExit>((end) => void terminal.onExit(end))
  onTestFinished(() => terminal.kill("SIGKILL"))
  const shows = (text: string) =>
    new Promise<void>((shown) => {
      const look = () => output.includes(text) && shown()
      news.addEventListener("data", look)
      look()
    })
  return { terminal, ended, shows, output: () => output }
}

describe.skipIf(process.platform === "win32")("a terminal of bun-pty", () => {
  it("runs a program that finds a terminal of this size, in this directory, with these variables", async () => {
    const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-pty-")))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const script = 'test -t 0 && test -t 1 && stty size && pwd && echo "$TERM $GIVEN $1"; exit 3'
    const options = { name: "xterm-256color", cols: 100, rows: 30, cwd: directory, env: { GIVEN: "given" } }
    const { terminal, ended, output } = open("sh", ["-c", script, "sh", "it's one word"], options)

    expect([terminal.cols, terminal.rows, terminal.pid > 0]).toEqual([100, 30, true])
    expect(await ended).toEqual({ exitCode: 3 })
    expect(output().split("\r\n")).toEqual(["30 100", directory, "xterm-256color given it's one word", ""])
  })

  it("passes on what is typed, and its new size", async () => {
    const { terminal, ended, shows } = open("sh", ["-c", "read line; echo got $line; read line; stty size"])
    terminal.write("words\n")
    await shows("got words")
    terminal.resize(90, 20)
    terminal.write("\n")
    await shows("20 90")
    expect(await ended).toEqual({ exitCode: 0 })
    expect([terminal.cols, terminal.rows]).toEqual([90, 20])
  })

  it("ends a shell that ignores SIGTERM, and takes nothing after that", async () => {
    const { terminal, ended, shows } = open("sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 1; done"])
    await shows("ready")
    terminal.kill()
    terminal.kill()
    terminal.write("x")
    terminal.resize(10, 10)
    expect(await ended).toMatchObject({ signal: 1 })
  })

  it("says that there is none where node-pty is missing, and only when one is opened", async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), "pawl-pty-"))
    onTestFinished(() => rm(elsewhere, { recursive: true, force: true }))
    for (const name of ["pty.ts", "which.ts"]) await copyFile(join(import.meta.dirname, name), join(elsewhere, name))
    const script =
      'import { Terminal } from "./pty.ts"; try { new Terminal("sh") } catch (error) { console.log(error.message) }'
    const options = { cwd: elsewhere, env: { PATH: process.env["PATH"] } }
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], options)
    const system = `${process.platform} on ${process.arch}`
    expect(stdout).toContain(
      `bun-pty has no terminals in pawl for ${system}: @lydell/node-pty cannot be loaded. Cannot find module`,
    )
  })

  it("says what does not exist", () => {
    expect(() => new Terminal("no-such-program")).toThrow('The terminal cannot be opened: there is no program "no-such')
    expect(() => new Terminal("sh", [], { cwd: "/nowhere" })).toThrow("/nowhere is not a directory.")
  })
})
