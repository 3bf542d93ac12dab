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
  readonly ended: Promise<{ code: number | null; stderr: string }>
}

/** Runs a script of this folder on the sources, in a process of its own that does not outlive the test. */
export function startChild(script: string, args: readonly string[]): Child {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(process.execPath, ["--conditions=@pawl/source", path, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  let stderr = ""
  child.stderr.on("data", (text) => (stderr += String(text)))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ended = once(child, "close").then(() => ({ code: child.exitCode, stderr }))
  return { process: child, lines, ended }
}
