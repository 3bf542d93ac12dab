import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { basename } from "node:path"
import type { Readable } from "node:stream"
import { type GuardedProcess, type Guardian, startGuarded } from "@pawl/process-guard"
import { hasCode } from "../paths.ts"
import { findShell, type Shell } from "./find-shell.ts"
import { createPipe } from "./pipe.ts"

export interface ShellProcess {
  readonly started: GuardedProcess<ChildProcess>
  /** stdout and stderr in the order of writing, or stdout alone if `isStderrApart` is set. */
  readonly output: Readable
  /** Set if `isStderrApart` is set. */
  readonly stderr?: Readable
}

export interface ShellOptions {
  /** Default: the shell that `findShell` finds. */
  readonly shell?: Shell | undefined
  /** Makes stderr a separate stream. The order of stdout and stderr is lost then. */
  readonly isStderrApart?: boolean
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Ends the shell if this process dies. */
  readonly guardian: Guardian
  /** If it is aborted before the shell starts, `startShell` rejects. Has no effect later. */
  readonly signal: AbortSignal
  /** Returns the program and arguments that run `argv` in a sandbox. Default: no sandbox. */
  readonly wrap?: ((argv: readonly string[]) => Promise<readonly string[]>) | undefined
}

// If no pipe can be created, as on a full disk, both streams use Node's socket. The command is passed as an argument,
// so it cannot change this script.
const INTO_SOCKET = 'exec 2>&1; exec "$0" -c "$1"'

/** Starts a command in a shell as a process group leader with empty stdin. */
export async function startShell(command: string, options: ShellOptions): Promise<ShellProcess> {
  const { shell = findShell(), isStderrApart = false } = options
  if (isStderrApart) {
    const started = await start([shell.program, "-c", command], "pipe", "pipe", options)
    const [output, stderr] = [outputOf(started.child.stdout), outputOf(started.child.stderr)]
    return { started, output, stderr }
  }
  const pipe = await createPipe(options.signal).catch(() => undefined)
  if (!pipe) {
    const argv = [shell.program, "-c", INTO_SOCKET, shell.program, command]
    const started = await start(argv, "pipe", "ignore", options)
    return { started, output: outputOf(started.child.stdout) }
  }
  try {
    const started = await start([shell.program, "-c", command], pipe.writer, pipe.writer, options)
    return { started, output: pipe.reader }
  } finally {
    // If no child was started, the reader ends at once.
    pipe.closeWriter()
  }
}

async function start(
  argv: readonly string[],
  stdout: number | "pipe",
  stderr: number | "pipe" | "ignore",
  { cwd, env, guardian, signal, wrap }: ShellOptions,
): Promise<GuardedProcess<ChildProcess>> {
  const [program = "", ...args] = (await wrap?.(argv)) ?? argv
  signal.throwIfAborted()
  // Use the short name, because the shell's messages begin with it.
  const argv0 = wrap ? program : basename(program)
  try {
    const started = startGuarded(guardian, { env, leads: true }, (marked) => {
      return spawn(program, args, { argv0, cwd, env: marked, detached: true, stdio: ["ignore", stdout, stderr] })
    })
    await once(started.child, "spawn")
    return started
  } catch (error) {
    if (hasCode(error, "E2BIG")) throw tooLong(error)
    if (hasCode(error, "ENOENT")) throw missing(program, error)
    throw error
  }
}

function outputOf(stream: Readable | null): Readable {
  if (!stream) throw new Error("The shell was started without output.")
  return stream
}

function missing(program: string, cause: unknown): Error {
  const what = program === "sh" ? "neither bash nor sh is on the PATH" : `there is no ${program} any more`
  return new Error(`No shell was found: ${what}.`, { cause })
}

function tooLong(cause: unknown): Error {
  return new Error("The command is too long for the system. Write it to a file and run that.", { cause })
}
