import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import type { Readable } from "node:stream"
import { hasCode } from "../paths.ts"
import { createPipe } from "./pipe.ts"

export interface ShellProcess {
  readonly child: ChildProcess
  /** stdout and stderr in the order of writing. */
  readonly output: Readable
}

export interface ShellOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Aborted before the shell is started, it rejects instead; later it does nothing. */
  readonly signal: AbortSignal
  /** Gives the program and arguments that run others in a sandbox. Absent: they run as they are. */
  readonly wrap?: ((argv: readonly string[]) => Promise<readonly string[]>) | undefined
}

const SHELLS = ["bash", "sh"] as const

// Where no pipe can be made, as on a full disk, both streams go into Node's socket. The command is an argument of this
// script, never a part of it.
const INTO_SOCKET = 'exec 2>&1; exec "$0" -c "$1"'

/** Starts a command in the first shell that exists, as the leader of its own process group, with nothing to read. */
export async function startShell(command: string, options: ShellOptions): Promise<ShellProcess> {
  const pipe = await createPipe(options.signal).catch(() => undefined)
  if (!pipe) {
    const child = await start((shell) => ["-c", INTO_SOCKET, shell, command], "pipe", "ignore", options)
    if (!child.stdout) throw new Error("The shell was started without output.")
    return { child, output: child.stdout }
  }
  try {
    const child = await start(() => ["-c", command], pipe.writer, pipe.writer, options)
    return { child, output: pipe.reader }
  } finally {
    // Without a child the reader meets its end at once, and closes.
    pipe.closeWriter()
  }
}

async function start(
  toArgs: (shell: string) => readonly string[],
  stdout: number | "pipe",
  stderr: number | "ignore",
  { cwd, env, signal, wrap }: ShellOptions,
): Promise<ChildProcess> {
  for (const shell of SHELLS) {
    const argv = [shell, ...toArgs(shell)]
    const [program = shell, ...args] = (await wrap?.(argv)) ?? argv
    signal.throwIfAborted()
    try {
      const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", stdout, stderr] })
      await once(child, "spawn")
      return child
    } catch (error) {
      if (hasCode(error, "E2BIG")) throw tooLong(error)
      if (!hasCode(error, "ENOENT")) throw error
    }
  }
  throw new Error("No shell was found: neither bash nor sh is on the PATH of the command's environment.")
}

function tooLong(cause: unknown): Error {
  return new Error("The command is too long for the system. Write it to a file and run that.", { cause })
}
