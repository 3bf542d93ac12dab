import { spawn } from "@lydell/node-pty"
import xterm from "@xterm/headless"
import type { World } from "./world.ts"

const COLUMNS = 120
const ROWS = 40

export const keys = { enter: "\r", escape: "\u001B", tab: "\t", down: "\u001B[B", ctrlC: "\u0003", backspace: "\u007F" }

/** A program in a terminal of its own. */
export interface Terminal {
  /** The lines on the screen and above it. */
  text(): string
  /** Resolves when the screen shows the text. Rejects with the screen if the program ends or the cell's time is over. */
  shows(text: string | RegExp): Promise<void>
  type(keys: string): void
  readonly exitCode: number | undefined
  end(): void
}

/** Starts a program in the project, with a terminal as its stdin, stdout and stderr. Kills it when the cell ends. */
export function openTerminal(
  world: World,
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Terminal {
  const [program = "", ...args] = command
  const screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, scrollback: 5000, allowProposedApi: true })
  const child = spawn(program, args, {
    ...{ cols: COLUMNS, rows: ROWS, cwd: world.project, name: "xterm-256color" },
    env: { ...world.environment, ...environment },
  })
  let exitCode: number | undefined
  child.onData((piece) => screen.write(piece))
  // Programs ask their terminal what it can do, and may wait for the answer.
  screen.onData((answer) => exitCode === undefined && child.write(answer))
  const exited = new Promise<void>((resolve) => {
    child.onExit((exit) => {
      exitCode = exit.exitCode
      resolve()
    })
  })

  function text(): string {
    const { active } = screen.buffer
    const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? "")
    return lines.join("\n").trimEnd()
  }

  function end(): void {
    if (exitCode === undefined) child.kill("SIGKILL")
  }

  world.atEnd(async () => {
    end()
    await exited
    screen.dispose()
  })
  return {
    ...{ text, end },
    type: (typed) => child.write(typed),
    get exitCode() {
      return exitCode
    },
    async shows(wanted) {
      const isShown = () => (typeof wanted === "string" ? text().includes(wanted) : wanted.test(text()))
      try {
        await world.until(String(wanted), () => {
          if (!isShown() && exitCode !== undefined) throw new Error(`It ended with ${exitCode} before ${wanted}`)
          return isShown()
        })
      } catch (error) {
        throw new Error(`${(error as Error).message} on the screen:\n${text()}`, { cause: error })
      }
    },
  }
}
