import { once } from "node:events"
import { mkdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { spawn } from "@lydell/node-pty"
import xterm from "@xterm/headless"
import { onTestFinished } from "vitest"
import { temporaryDirectory } from "./host.ts"
import { CACHE } from "./workplace.ts"

export interface TerminalOptions {
  readonly columns?: number
  readonly rows?: number
  readonly environment: Readonly<Record<string, string>>
  readonly directory: string
}

/** A program in a terminal of its own, and what its user sees. */
export interface TerminalProgram {
  /** The lines on the screen and above it, without the empty ones at the end. */
  readonly lines: () => readonly ScreenLine[]
  readonly text: () => string
  /** What the program wrote, escape sequences and all. */
  readonly raw: () => string
  /** Resolves when the screen shows it; rejects when the program ends before, and after 100 seconds, with the screen. */
  readonly shows: (text: string) => Promise<void>
  readonly type: (keys: string) => void
  readonly resize: (columns: number) => void
  readonly ended: Promise<{ readonly code: number }>
}

/** Directories of a test's own, and the environment of a program in its terminal. */
export interface TerminalHome {
  readonly root: string
  readonly project: string
  readonly environment: Record<string, string>
}

export async function terminalHome(): Promise<TerminalHome> {
  const root = await temporaryDirectory()
  const project = join(root, "project")
  await mkdir(project)
  const environment = {
    PATH: [dirname(process.execPath), process.env["PATH"]].join(":"),
    HOME: root,
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    XDG_CACHE_HOME: CACHE,
    PAWL_DATA_DIR: join(root, "data"),
    PAWL_CONFIG_DIR: join(root, "configuration"),
  }
  return { root, project, environment }
}

export interface ScreenLine {
  readonly text: string
  /** The terminal broke the line before it, because it was too long. */
  readonly isWrapped: boolean
}

/** On a busy machine a second becomes a minute. */
const SHOWN_WITHIN_MS = 100_000

export const CTRL_C = "\u0003"

/** Starts a program with a pseudo-terminal as its stdin, stdout and stderr. */
export function inTerminal(command: readonly string[], options: TerminalOptions): TerminalProgram {
  const { columns = 80, rows = 40, environment, directory } = options
  const [program = "", ...args] = command
  const screen = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true })
  const { TERM: name = "xterm-256color", ...others } = environment
  const child = spawn(program, args, { cols: columns, rows, cwd: directory, env: others, name })
  const news = new EventTarget()
  let raw = ""
  let isEnded = false
  child.onData((piece) => {
    raw += piece
    screen.write(piece, () => news.dispatchEvent(new Event("shown")))
  })
  const ended = new Promise<{ code: number }>((resolve) => {
    child.onExit(({ exitCode, signal = 0 }) => {
      isEnded = true
      // What it wrote last is on the screen once an empty write is.
      screen.write("", () => {
        news.dispatchEvent(new Event("shown"))
        // A shell reports the end by a signal so.
        resolve({ code: signal === 0 ? exitCode : 128 + signal })
      })
    })
  })
  onTestFinished(() => {
    if (!isEnded) child.kill("SIGKILL")
    screen.dispose()
  })

  function lines(): ScreenLine[] {
    const { active } = screen.buffer
    const all = Array.from({ length: active.length }, (_, at) => active.getLine(at)).map((line) => {
      return { text: line?.translateToString(true) ?? "", isWrapped: line?.isWrapped ?? false }
    })
    return all.slice(0, all.findLastIndex(({ text }) => text !== "") + 1)
  }
  const text = () =>
    lines()
      .map((line) => line.text)
      .join("\n")
  return {
    ...{ lines, text, raw: () => raw, ended },
    type: (keys) => child.write(keys),
    resize(wide) {
      screen.resize(wide, rows)
      child.resize(wide, rows)
    },
    async shows(wanted) {
      const signal = AbortSignal.timeout(SHOWN_WITHIN_MS)
      while (!text().includes(wanted)) {
        if (isEnded) throw new Error(`It ended without showing "${wanted}", but:\n${text()}`)
        if (signal.aborted) throw new Error(`It did not show "${wanted}", but:\n${text()}`)
        await once(news, "shown", { signal }).catch(() => {})
      }
    },
  }
}
