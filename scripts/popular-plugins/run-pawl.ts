import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

const CLI = fileURLToPath(new URL("../../apps/cli/dist/main.js", import.meta.url))

/** Milliseconds. Installing a large plugin takes the longest. */
const DEADLINE = 300_000

export interface Ended {
  /** Absent if the deadline or a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface PawlOptions {
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/** Runs the built CLI to its end. Rejects with the signal's reason once the process has ended. */
export async function runPawl(args: readonly string[], options: PawlOptions): Promise<Ended> {
  const { directory, environment, signal } = options
  signal.throwIfAborted()
  const child = spawn(process.execPath, [CLI, ...args], {
    ...{ cwd: directory, env: environment, stdio: ["ignore", "pipe", "pipe"], timeout: DEADLINE },
  })
  const end = () => child.kill("SIGTERM")
  signal.addEventListener("abort", end)
  let [stdout, stderr] = ["", ""]
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  try {
    const code = await new Promise<number | null>((ended, failed) => child.on("error", failed).on("close", ended))
    signal.throwIfAborted()
    return { code, stdout, stderr }
  } finally {
    signal.removeEventListener("abort", end)
  }
}
