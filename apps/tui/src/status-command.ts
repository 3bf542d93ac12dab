import { spawn } from "node:child_process"
import { plainLine } from "@pawl/plain-text"
import type { FrameTimer } from "./screen/screen.ts"

export interface StatusCommandOptions {
  /** A command of the user's own configuration, for the shell. */
  readonly command: string
  readonly directory: string
  readonly timer: FrameTimer
  /** Called when another line is there. */
  readonly onChange: () => void
}

export interface StatusCommand {
  /** Runs the command soon if the facts are other ones than before. */
  update(facts: object): void
  line(): string
  close(): void
}

const PAUSE_MS = 5000
const MAX_RUN_MS = 3000
const MAX_OUTPUT_BYTES = 4096

/** Shows the first line of a command's output: it gets facts as JSON, and runs at most every five seconds while they change. */
export function createStatusCommand({ command, directory, timer, onChange }: StatusCommandOptions): StatusCommand {
  let line = ""
  let newest = ""
  let used = ""
  let last = -Infinity
  let cancel: (() => void) | undefined
  let isClosed = false

  function run(): void {
    cancel = undefined
    last = timer.now()
    used = newest
    void outputOf(command, directory, used).then((output) => {
      const shown = plainLine(output.split("\n")[0] ?? "")
      if (isClosed || shown === line) return
      line = shown
      onChange()
    })
  }

  return {
    update(facts) {
      newest = JSON.stringify(facts)
      if (newest === used || cancel || isClosed) return
      cancel = timer.after(Math.max(0, last + PAUSE_MS - timer.now()), run)
    },
    line: () => line,
    close() {
      isClosed = true
      cancel?.()
    },
  }
}

/** Resolves with the beginning of the output, or a sentence about the failure. */
function outputOf(command: string, cwd: string, input: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(command, { cwd, shell: true, stdio: ["pipe", "pipe", "ignore"], timeout: MAX_RUN_MS })
    let output = ""
    child.stdout.on("data", (data: Buffer) => {
      if (output.length < MAX_OUTPUT_BYTES) output += data.toString("utf8")
    })
    child.on("error", (error) => resolve(`statusLine: ${error.message}`))
    child.on("close", (code) => resolve(code === 0 ? output : `statusLine: exit ${code ?? "by a signal"}`))
    // A command may ignore its input.
    child.stdin.on("error", () => undefined)
    child.stdin.end(input)
  })
}
