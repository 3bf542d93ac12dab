import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"

export interface Child {
  readonly process: ChildProcess
  /** Lines of stdout until the child exits. */
  readonly lines: AsyncIterator<string>
  /** The exit code or signal, and stderr. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>
}

export interface ChildOptions {
  /** A command that runs the child: `["strace", "-o", "trace"]`. */
  readonly through?: readonly string[]
  /** Export conditions for resolving packages. */
  readonly conditions?: readonly string[]
}

/** Node's default cache of compiled code, which makes children start three times as fast. */
const compileCache = join(tmpdir(), "node-compile-cache")

/** Runs a script in a child process, which is killed when the test ends. */
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
