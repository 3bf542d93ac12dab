import { markFor } from "./call-processes.ts"
import type { LiveGroups } from "./live-groups.ts"
import { pumpOutput } from "./output-pump.ts"
import { startShell } from "./shell.ts"
import { stopProcesses } from "./stop-processes.ts"

export interface Command {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** In milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal
  /** Where the command is entered while it runs. */
  readonly live: LiveGroups
  /** Gets both streams as one; a returned promise makes the command wait. */
  readonly onOutput: (chunk: Buffer) => Promise<void> | undefined
}

export interface CommandEnd {
  /** Null when a signal ended it. */
  readonly exit: number | null
  readonly signal: NodeJS.Signals | null
  /** Set when it was ended before its time. */
  readonly stopped?: "timeout" | "abort"
}

const MAX_TIMEOUT = 2 ** 31 - 1

/**
 * Runs a command until it exits; what it leaves in the background goes on. On abort and timeout all that it started is
 * ended first, and it resolves when nothing is left. Rejects only when the command cannot be started, or was aborted
 * before.
 */
export async function runCommand(options: Command): Promise<CommandEnd> {
  const { command, cwd, env, timeout, signal, live, onOutput } = options
  const stopped = Promise.withResolvers<"timeout" | "abort">()
  const onAbort = () => stopped.resolve("abort")
  signal.addEventListener("abort", onAbort)
  let timer: NodeJS.Timeout | undefined
  let release: (() => void) | undefined
  try {
    const token = crypto.randomUUID()
    const { child, output } = await startShell(command, { cwd, env: { ...env, ...markFor(token, env) }, signal })
    const { pid } = child
    if (pid !== undefined) release = live.add(pid)
    const exited = new Promise<CommandEnd>((resolve) => {
      child.once("exit", (exit, by) => resolve({ exit, signal: by }))
    })
    const pump = pumpOutput(output, onOutput)
    timer = setTimeout(() => stopped.resolve("timeout"), Math.min(timeout, MAX_TIMEOUT))

    const reason = await Promise.race([exited.then(() => undefined), stopped.promise])
    if (reason !== undefined && pid !== undefined) await stopProcesses(pid, token)
    const end = reason === undefined ? await exited : { exit: null, signal: null, stopped: reason }
    // What a command leaves in the background when it ends by itself may outlive this process.
    release?.()
    await pump.settle()
    return end
  } finally {
    release?.()
    clearTimeout(timer)
    signal.removeEventListener("abort", onAbort)
  }
}
