/* oxlint-disable no-control-regex -- Sequences of terminals begin with a control character. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import { CTRL_C, inTerminal, terminalHome, type TerminalProgram } from "./terminal.ts"
import { built } from "./workplace.ts"

let project: string
let environment: Record<string, string>

beforeEach(async () => {
  ;({ project, environment } = await terminalHome())
})

const CTRL_D = "\u0004"
const CTRL_Z = "\u001A"
const PROMPT = "/help"

/** Starts bare `pawl` below a shell that prints its exit code and the modes of the terminal when it ends. */
async function open(replies: readonly object[], ...args: readonly string[]): Promise<TerminalProgram> {
  const script = join(project, "script.jsonl")
  await writeFile(script, replies.map((reply) => JSON.stringify(reply)).join("\n"))
  const command = [...built, "--script", script, ...args].map((word) => `'${word}'`).join(" ")
  const shell = `(echo "pid $BASHPID"; exec ${command}); echo "ended with $?"; stty -a | grep -o '.icanon'`
  const terminal = inTerminal(["bash", "-c", shell], { directory: project, environment })
  await terminal.shows(PROMPT)
  return terminal
}

/** Checks that the terminal is as before, and that nothing of its scrollback was erased. */
async function expectWhole(terminal: TerminalProgram, code: number): Promise<void> {
  await terminal.ended
  expect(terminal.text()).toContain(`ended with ${code}`)
  expect(terminal.text()).toContain(" icanon")
  const raw = terminal.raw()
  expect(raw).not.toMatch(/\u001B\[[23]J|\u001B\[\?1049h/)
  expect(raw.split("\u001B[?2026h")).toHaveLength(raw.split("\u001B[?2026l").length)
  expect(raw.lastIndexOf("\u001B[?25h")).toBeGreaterThan(raw.lastIndexOf("\u001B[?25l"))
  expect(raw.lastIndexOf("\u001B[?2004l")).toBeGreaterThan(raw.lastIndexOf("\u001B[?2004h"))
  expect(raw.lastIndexOf("\u001B[?1004l")).toBeGreaterThan(raw.lastIndexOf("\u001B[?1004h"))
}

describe("bare pawl on a terminal", () => {
  it("answers prompts, and continues the session with -c", async () => {
    const first = await open([{ text: "Hello from **the script**." }, { text: "Hello again." }])
    first.type("Say hello\r")
    await first.shows("Hello from the script.")
    first.type(CTRL_D)
    await expectWhole(first, 0)

    const second = await open([{ text: "Hello from **the script**." }, { text: "Hello again." }], "-c")
    await second.shows("Hello from the script.")
    second.type("And now?\r")
    await second.shows("Hello again.")
    second.type("/quit\r")

    await expectWhole(second, 0)
  })

  it("takes a prompt before the engine is open", async () => {
    const script = join(project, "script.jsonl")
    await writeFile(script, JSON.stringify({ text: "Here I am." }))
    const terminal = inTerminal([...built, "--script", script], { directory: project, environment })
    await expect.poll(() => terminal.raw()).toContain("\u001B[?2004h")

    terminal.type("Are you there?\r")

    await terminal.shows("Here I am.")
    terminal.type(CTRL_D)
    expect((await terminal.ended).code).toBe(0)
  })

  it("notifies of an answer while the terminal has no focus, as the user's settings say", async () => {
    await mkdir(join(environment["PAWL_CONFIG_DIR"] ?? ""), { recursive: true })
    await writeFile(join(environment["PAWL_CONFIG_DIR"] ?? "", "tui.json"), '{"notify":"bell","theme":"dark"}')
    const terminal = await open([{ text: "First." }, { text: "Second." }])
    terminal.type("Go\r")
    await terminal.shows("First.")
    expect(terminal.raw()).not.toContain("\u0007")
    expect(terminal.raw()).not.toContain("\u001B]11;?")

    terminal.type("\u001B[O")
    terminal.type("Again\r")
    await terminal.shows("Second.")
    await expect.poll(() => terminal.raw()).toContain("\u0007")
    terminal.type(CTRL_D)

    await expectWhole(terminal, 0)
  })

  it("takes colours for a light background that the terminal reports", async () => {
    const terminal = await open([{ text: "Hi." }])
    expect(terminal.raw()).toContain("\u001B]11;?\u0007")

    terminal.type("\u001B]11;rgb:ffff/ffff/ffff\u0007")
    await expect.poll(() => terminal.raw()).toContain("\u001B[38;5;25m> ")
    terminal.type(CTRL_D)

    await expectWhole(terminal, 0)
  })

  it("leaves after the second Ctrl-C", async () => {
    const terminal = await open([{ text: "Hi." }])

    terminal.type(CTRL_C)
    await terminal.shows("ctrl+c again leaves")
    terminal.type(CTRL_C)

    await expectWhole(terminal, 0)
  })

  it("is stopped by Ctrl-Z with the terminal as before, and continued by fg", async () => {
    const script = join(project, "script.jsonl")
    await writeFile(script, JSON.stringify({ text: "Back again." }))
    const shell = inTerminal(["bash", "--norc", "-i"], {
      directory: project,
      environment: { ...environment, PS1: "shell: " },
    })
    await shell.shows("shell:")
    shell.type(`${[...built, "--script", script].join(" ")}; stty -a | grep -o '.icanon'\r`)
    await shell.shows(PROMPT)

    shell.type(CTRL_Z)
    await shell.shows("Stopped")
    shell.type("stty -a | grep -o '.icanon'; echo mode\r")
    await shell.shows(" icanon")
    const { length } = shell.raw()
    shell.type("fg\r")
    await expect.poll(() => shell.raw().slice(length)).toContain(PROMPT)
    shell.type("Are you there?\r")
    await shell.shows("Back again.")
    shell.type(CTRL_D)
    await shell.shows("go on:")
    shell.type("exit\r")

    await shell.ended
    expect(shell.raw()).not.toMatch(/\u001B\[[23]J/)
  })

  it.each(["SIGTERM", "SIGHUP", "SIGINT"])("restores the terminal on %s", async (signal) => {
    const terminal = await open([{ reply: [{ wait: 60_000 }, { text: "Never." }] }])
    terminal.type("Go\r")
    await terminal.shows("waiting for the model")

    process.kill(Number(/pid (\d+)/.exec(terminal.raw())?.[1]), signal)

    await expectWhole(terminal, signal === "SIGINT" ? 130 : 143)
  })

  it("says what a run without a terminal says if the model is missing", async () => {
    const terminal = inTerminal([...built, "-m", "nobody/nothing"], { directory: project, environment })

    expect((await terminal.ended).code).not.toBe(0)
    expect(terminal.text()).toContain("nobody")
    expect(terminal.text()).not.toContain(PROMPT)
  })
})
