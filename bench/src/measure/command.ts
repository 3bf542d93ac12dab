import { spawnSync } from "node:child_process"

export interface CommandResult {
  /** Epoch milliseconds with fractions. */
  readonly started: number
  /** Milliseconds from start to end. */
  readonly wall: number
  readonly stdout: string
}

/** Far more than a command needs. A hanging command ends the benchmark. */
const TIMEOUT_MS = 300_000

/** Runs node with these arguments and a pipe as stdout. Throws if it fails. */
export function runNode(args: readonly string[], environment: NodeJS.ProcessEnv, directory: string): CommandResult {
  const start = performance.now()
  const result = spawnSync(process.execPath, args, {
    cwd: directory,
    env: environment,
    encoding: "utf8",
    maxBuffer: Infinity,
    timeout: TIMEOUT_MS,
    stdio: ["ignore", "pipe", "pipe"],
  })
  const wall = performance.now() - start
  if (result.status !== 0) {
    const end = result.error?.message ?? `ended with ${result.signal ?? result.status}`
    throw new Error(`node ${args.join(" ")} ${end}:\n${result.stderr || result.stdout}`)
  }
  return { started: performance.timeOrigin + start, wall, stdout: result.stdout }
}
