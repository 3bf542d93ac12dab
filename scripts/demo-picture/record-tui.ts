import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { spawn } from "@lydell/node-pty"
import xterm from "@xterm/headless"
import { COLUMNS, type Line, linesOf, textOf } from "./record.ts"

const ROWS = 30
const MAX_WAIT_MS = 60_000

const call = (tool: string, input: object) => ({ reply: [{ tool, input }] })
const SCRIPT = [
  { reply: [{ text: "I look for the place first." }, { tool: "read", input: { filePath: "src/total.js" } }] },
  call("edit", { filePath: "src/total.js", oldString: "sum + price", newString: "sum + price * count" }),
  call("write", { filePath: ".git/hooks/pre-commit", content: "#!/bin/sh\nnpm test\n" }),
  { text: "The total counts every item now, and a hook runs the tests before each commit." },
]
const FILE = "export function total(items) {\n  return items.reduce((sum, { price, count }) => sum + price, 0)\n}\n"

/** Plays the terminal UI of a built command, and returns its screen with a question and with the list of sessions. */
export async function recordTui(main: string): Promise<{ readonly question: Line[]; readonly sessions: Line[] }> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-picture-"))
  const screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, scrollback: 1000, allowProposedApi: true })
  const project = join(directory, "shop")
  await mkdir(join(project, "src"), { recursive: true })
  await writeFile(join(project, "src/total.js"), FILE)
  const script = join(directory, "script")
  await writeFile(script, SCRIPT.map((line) => JSON.stringify(line)).join("\n"))
  const environment = { PATH: process.env["PATH"] ?? "", HOME: directory, LANG: "C.UTF-8", COLORFGBG: "15;0" }
  const terminal = { cols: COLUMNS, rows: ROWS, cwd: project, env: environment, name: "xterm-256color" }
  const child = spawn(process.execPath, [main, "--script", script], terminal)
  const ended = new Promise<void>((resolve) => child.onExit(() => resolve()))
  child.onData((piece) => screen.write(piece))
  const text = () => linesOf(screen).map(textOf).join("\n")

  async function shows(wanted: string): Promise<void> {
    const deadline = performance.now() + MAX_WAIT_MS
    while (!text().includes(wanted)) {
      if (performance.now() > deadline) throw new Error(`"${wanted}" is not shown:\n${text()}`)
      await setTimeout(20)
    }
  }

  try {
    await shows("build ·")
    child.write("Count every item, and test before each commit\r")
    await shows("│ + npm test")
    const question = linesOf(screen)
    await setTimeout(500)
    child.write("1")
    await shows("The total counts every item now")
    await shows("/help")
    child.write("/sessions")
    await shows("→ /sessions")
    child.write("\r")
    await shows("│ The total counts")
    return { question: question.map(withoutChanging), sessions: linesOf(screen).map(withoutChanging) }
  } finally {
    child.kill("SIGTERM")
    await ended
    screen.dispose()
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The spinner and the time behind it differ in each run. */
function withoutChanging(line: Line): Line {
  return line
    .map((run) => ({ ...run, text: run.text.replace(/^[\u2801-\u28FF]/, "⠋").replace(/ · \d+s$/, "") }))
    .filter(({ text }) => text !== "")
}
