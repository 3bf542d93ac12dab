import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"

export interface Child {
  readonly process: ChildProcess
  /** What it prints on stdout, line by line; ends with it. */
  readonly lines: AsyncIterator<string>
  /** How it ended, with what it wrote to stderr. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>
}

/**
 * Runs a script of this folder on the sources, in a process of its own that does not outlive the test; `through` is a
 * command that starts it.
 */
export function startChild(script: string, args: readonly string[], through: readonly string[] = []): Child {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const [command = "", ...rest] = [...through, process.execPath, "--conditions=@pawl/source", path, ...args]
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "pipe"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  let stderr = ""
  child.stderr.on("data", (text) => (stderr += String(text)))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ended = once(child, "close").then(() => ({ code: child.exitCode, signal: child.signalCode, stderr }))
  return { process: child, lines, ended }
}
