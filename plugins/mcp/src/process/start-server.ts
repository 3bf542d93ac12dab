import { spawn } from "node:child_process"
import type { ChildProcessByStdio } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import type { LocalServer } from "../config/server-config.ts"
import { McpServerError } from "../errors.ts"
import { endProcesses } from "./end-processes.ts"
import type { Guardian } from "./guardian.ts"
import { MARK } from "./mark.ts"

/** A server that runs as a process of this machine, with a group of its own. */
export interface ServerProcess {
  readonly pid: number
  readonly input: Writable
  readonly output: Readable
  readonly errors: Readable
  /** How it ended, in words: `exited with code 1`. All that it started has been ended then. */
  readonly ended: Promise<string>
  /** Ends it with all that it started, within 2 s. */
  end(): Promise<void>
}

export interface StartDeps {
  readonly guardian: Guardian
  /** What it may know of this process's environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Tells the processes of one server from those of another. */
  readonly number: number
}

/** Milliseconds that output may still arrive in after its writer has ended. */
const DRAIN = 200

/** Rejects with McpServerError where it cannot be started. */
export async function startServer(
  deps: StartDeps,
  name: string,
  { command: [program, ...args], environment }: LocalServer,
  cwd: string,
): Promise<ServerProcess> {
  const { guardian } = deps
  const mark = `${guardian.mark}:${deps.number}`
  guardian.guard()
  const child = spawn(program, args, {
    cwd,
    env: { ...deps.environment, ...environment, [MARK]: mark },
    stdio: ["pipe", "pipe", "pipe"],
    // Its own session: signals of the terminal are not for it, and its group can be ended as one.
    detached: process.platform !== "win32",
    windowsHide: true,
  })
  await spawned(child, name, program, cwd)
  const pid = child.pid as number
  const target = { group: pid, mark }
  guardian.add(pid)

  let ending: Promise<void> | undefined
  const end = () => {
    child.stdin.end()
    ending ??= endProcesses(target).finally(() => guardian.remove(pid))
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
  // Others that it started may hold its output open for ever.
  const timer = setTimeout(drain, DRAIN)
  await drained
  clearTimeout(timer)
  await end()
  return words
}
