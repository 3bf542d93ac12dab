import { spawn } from "node:child_process"
import type { World } from "./world.ts"

export interface Ended {
  /** Null after a signal. */
  readonly code: number | null
  /** Both of stdout and stderr. */
  readonly output: string
}

export interface RunningProgram {
  readonly output: () => string
  readonly ended: Promise<Ended>
  readonly signal: (name: NodeJS.Signals) => void
}

/** Starts a program in the project, without a terminal. Kills it when the cell ends. */
export function startProgram(
  world: World,
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): RunningProgram {
  const [program = "", ...args] = command
  const env = { ...world.environment, ...environment }
  const child = spawn(program, args, { cwd: world.project, env, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (piece: string) => (output += piece))
  child.stderr.setEncoding("utf8").on("data", (piece: string) => (output += piece))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject).on("close", (code) => resolve({ code, output }))
  })
  world.atEnd(() => child.kill("SIGKILL"))
  return { output: () => output, ended, signal: (name) => void child.kill(name) }
}
