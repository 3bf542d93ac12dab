/* oxlint-disable no-control-regex -- Sequences of terminals begin with a control character. */
import { chmod, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import { inTerminal, terminalHome, type TerminalProgram } from "./terminal.ts"
import { built, workplace } from "./workplace.ts"

let project: string
let environment: Record<string, string>

beforeEach(async () => {
  ;({ project, environment } = await terminalHome())
})

const ENTERED = "\u001B[?1049h"
const LEFT = "\u001B[?1049l"
const CTRL_D = "\u0004"
const CTRL_G = "\u0007"
const CTRL_Z = "\u001A"

async function open(...replies: readonly object[]): Promise<TerminalProgram> {
  const script = join(project, "script.jsonl")
  await writeFile(script, replies.map((reply) => JSON.stringify(reply)).join("\n"))
  const command = [...built, "tui", "--full", "--script", script].map((word) => `'${word}'`).join(" ")
  const shell = `(echo "pid $BASHPID"; exec ${command}); echo "ended with $?"; stty -a | grep -o '.icanon'`
  const terminal = inTerminal(["bash", "-c", shell], { directory: project, environment })
  await terminal.shows("/help")
  return terminal
}

const times = (text: string, part: string) => text.split(part).length - 1

/** Checks that the alternate screen and the mouse were left as often as they were entered, and at the end. */
function expectLeft(raw: string, entered: number): void {
  expect(times(raw, ENTERED)).toBe(entered)
  expect(times(raw, LEFT)).toBe(entered)
  expect(raw.lastIndexOf(LEFT)).toBeGreaterThan(raw.lastIndexOf(ENTERED))
  expect(raw.lastIndexOf(LEFT)).toBeGreaterThan(raw.lastIndexOf("\u001B[?2026l"))
  for (const mode of ["1000", "1006", "2004"]) {
    expect(raw.lastIndexOf(`\u001B[?${mode}l`)).toBeGreaterThan(raw.lastIndexOf(`\u001B[?${mode}h`))
  }
  expect(raw).not.toMatch(/\u001B\[[23]J/)
}

describe("pawl tui --full", () => {
  it("leaves the last turn on the normal screen", async () => {
    const terminal = await open({ text: "The first one." }, { text: "The last one." })
    terminal.type("One\r")
    await terminal.shows("The first one.")
    terminal.type("Two\r")
    await terminal.shows("The last one.")
    terminal.type(CTRL_D)
    await terminal.ended

    const raw = terminal.raw()
    expectLeft(raw, 1)
    const after = raw.slice(raw.lastIndexOf(LEFT))
    expect(after).toContain("The last one.")
    expect(after).not.toContain("The first one.")
    expect(terminal.text()).toContain("ended with 0")
    expect(terminal.text()).toContain(" icanon")
  })

  it.each(["SIGTERM", "SIGHUP", "SIGINT"])("leaves the alternate screen on %s", async (signal) => {
    const terminal = await open({ reply: [{ wait: 60_000 }, { text: "Never." }] })
    terminal.type("Go\r")
    await terminal.shows("waiting for the model")

    process.kill(Number(/pid (\d+)/.exec(terminal.raw())?.[1]), signal)
    await terminal.ended

    expectLeft(terminal.raw(), 1)
    expect(terminal.text()).toContain(`ended with ${signal === "SIGINT" ? 130 : 143}`)
  })

  it("gives the normal screen to the editor of Ctrl-G", async () => {
    const editor = join(project, "editor")
    await writeFile(editor, '#!/bin/sh\nprintf "in the editor"\nprintf "changed" > "$1"\n')
    await chmod(editor, 0o755)
    environment["VISUAL"] = editor
    const terminal = await open({ text: "Edited." })
    terminal.type(CTRL_G)
    await terminal.shows("in the editor")
    await terminal.shows("changed")
    const raw = terminal.raw()
    const edited = raw.indexOf("in the editor")
    expect(raw.lastIndexOf(LEFT, edited)).toBeGreaterThan(raw.lastIndexOf(ENTERED, edited))
    terminal.type("\r")
    await terminal.shows("Edited.")
    terminal.type(CTRL_D)
    await terminal.ended

    expectLeft(terminal.raw(), 2)
  })

  it("leaves the alternate screen for Ctrl-Z, and enters it again with fg", async () => {
    const script = join(project, "script.jsonl")
    await writeFile(script, JSON.stringify({ text: "Back again." }))
    const shell = inTerminal(["bash", "--norc", "-i"], {
      directory: project,
      environment: { ...environment, PS1: "shell: " },
    })
    await shell.shows("shell:")
    shell.type(`${[...built, "tui", "--full", "--script", script].join(" ")}\r`)
    await shell.shows("/help")
    shell.type(CTRL_Z)
    await shell.shows("Stopped")
    expect(times(shell.raw(), LEFT)).toBe(1)
    const { length } = shell.raw()
    shell.type("fg\r")
    await expect.poll(() => shell.raw().slice(length)).toContain("/help")
    shell.type("Are you there?\r")
    await shell.shows("Back again.")
    shell.type(CTRL_D)
    await shell.shows("go on:")
    shell.type("exit\r")
    await shell.ended

    expectLeft(shell.raw(), 2)
  })

  it("cannot be combined with --plain", async () => {
    const { pawl } = await workplace()
    const { code, stderr } = await pawl(["tui", "--full", "--plain"])
    expect(code).toBe(2)
    expect(stderr).toContain("--full cannot be used with --plain.")
  })
})
