import { spawn } from "node:child_process"
import type { ChildProcessByStdio } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import { createProcessTable, type Guardian, startGuarded, stopProcesses } from "@pawl/process-guard"
import type { LocalServer } from "../config/server-config.ts"
import { McpServerError } from "../errors.ts"

/** A server that runs as a process on this machine, in its own process group. */
export interface ServerProcess {
  readonly pid: number
  readonly input: Writable
  readonly output: Readable
  readonly errors: Readable
  /** Resolves with the reason: `exited with code 1`. All processes that the server started are ended by then. */
  readonly ended: Promise<string>
  /** Ends the server and all processes that it started, within 2 s. */
  end(): Promise<void>
}

export interface StartDeps {
  readonly guardian: Guardian
  /** Environment variables that the server may see. */
  readonly environment: Readonly<Record<string, string>>
}

/** Milliseconds to wait for a server to exit after its input was closed, and after SIGTERM. */
const GRACE = { own: 400, terminate: 700 } as const
/** Milliseconds to wait for output after the process has ended. */
const DRAIN = 200

/** Rejects with McpServerError if the server cannot be started. */
export async function startServer(
  deps: StartDeps,
  name: string,
  { command: [program, ...args], environment }: LocalServer,
  cwd: string,
): Promise<ServerProcess> {
  // An own session, so that the terminal's signals do not reach it and its group can be ended as one.
  const detached = process.platform !== "win32"
  const env = { ...deps.environment, ...environment }
  const { child, call, release } = startGuarded(deps.guardian, { env, leads: true }, (marked) => {
    return spawn(program, args, { cwd, env: marked, stdio: ["pipe", "pipe", "pipe"], detached, windowsHide: true })
  })
  await spawned(child, name, program, cwd)
  const pid = child.pid as number

  let ending: Promise<void> | undefined
  const end = () => {
    child.stdin.end()
    ending ??= stopProcesses(call, createProcessTable(), GRACE.terminate, { wait: GRACE.own }).finally(release)
    return ending
  }
  return { pid, input: child.stdin, output: child.stdout, errors: child.stderr, ended: endOf(child, end), end }
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

function spawned(child: Child, name: string, program: string, cwd: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.on("spawn", () => resolve())
  child.on("error", (error: NodeJS.ErrnoException) => {
    const place =
      error.code === "ENOENT" ? `"${program}" was not found, or there is no directory ${cwd}` : error.message
    reject(
      new McpServerError(
        "connect-failed",
        name,
        `The MCP server "${name}" cannot be started: ${place}. See mcp.${name}.command.`,
        { cause: error },
      ),
    )
  })
  return promise
}

async function endOf(child: Child, end: () => Promise<void>): Promise<string> {
  const { promise: exited, resolve: exit } = Promise.withResolvers<string>()
  child.once("exit", (code, signal) => exit(signal ? `was ended by ${signal}` : `exited with code ${code}`))
  const { promise: drained, resolve: drain } = Promise.withResolvers<void>()
  child.once("close", () => drain())
  const words = await exited
  // Child processes of the server may keep its output open.
  const timer = setTimeout(drain, DRAIN)
  await drained
  clearTimeout(timer)
  await end()
  return words
}
