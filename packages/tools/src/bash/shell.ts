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
  /** stdout and stderr in the order of writing; stdout alone where stderr is kept apart. */
  readonly output: Readable
  /** Absent unless it is kept apart. */
  readonly stderr?: Readable
}

export interface ShellOptions {
  /** Absent: the one that `findShell` finds. */
  readonly shell?: Shell | undefined
  /** Whether stderr is a stream of its own; the order between the two is lost then. */
  readonly isStderrApart?: boolean
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Ends it if this process dies. */
  readonly guardian: Guardian
  /** Aborted before the shell is started, it rejects instead; later it does nothing. */
  readonly signal: AbortSignal
  /** Gives the program and arguments that run others in a sandbox. Absent: they run as they are. */
  readonly wrap?: ((argv: readonly string[]) => Promise<readonly string[]>) | undefined
}

// Where no pipe can be made, as on a full disk, both streams go into Node's socket. The command is an argument of this
// script, never a part of it.
const INTO_SOCKET = 'exec 2>&1; exec "$0" -c "$1"'

/** Starts a command in a shell, as the leader of its own process group, with nothing to read. */
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
    // Without a child the reader meets its end at once, and closes.
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
  // As people start it: its messages begin with that name.
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
