import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"

export interface Child {
  readonly process: ChildProcess
  /** Lines of stdout, until the child ends. */
  readonly lines: AsyncIterator<string>
  /** How it ended, with what it wrote to stderr. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>
}

export interface ChildOptions {
  /** A command that starts it: `["strace", "-o", "trace"]`. */
  readonly through?: readonly string[]
  /** Export conditions under which it resolves packages. */
  readonly conditions?: readonly string[]
}

/** Node's default cache of compiled code. Children that find it start in a third of the time. */
const compileCache = join(tmpdir(), "node-compile-cache")

/** Runs a script in a process of its own that does not outlive the test. */
export function startChild(script: URL, args: readonly string[], options: ChildOptions = {}): Child {
  const { through = [], conditions = [] } = options
  const flags = conditions.map((condition) => `--conditions=${condition}`)
  const [command = "", ...rest] = [...through, process.execPath, ...flags, fileURLToPath(script), ...args]
  const child = spawn(command, rest, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
  })
  let stderr = ""
  child.stderr.on("data", (text) => (stderr += String(text)))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ended = once(child, "close").then(() => ({ code: child.exitCode, signal: child.signalCode, stderr }))
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await ended.catch(() => undefined)
  })
  return { process: child, lines, ended }
}
