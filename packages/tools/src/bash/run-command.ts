import { pumpOutput } from "./output-pump.ts"
import { type CommandStart, startCommand } from "./start-command.ts"
import { MAX_TIMER_MS } from "../max-timer.ts"

export interface Command extends CommandStart {
  /** In milliseconds. */
  readonly timeout: number
  /** Gets stdout and stderr as one stream. The command waits while a returned promise is pending. */
  readonly onOutput: (chunk: Buffer) => Promise<void> | undefined
}

export interface CommandEnd {
  /** Null if a signal ended the command. */
  readonly exit: number | null
  readonly signal: NodeJS.Signals | null
  /** Set if the command was ended early. */
  readonly stopped?: "timeout" | "abort"
}

/**
 * Runs a command until it exits. Its background processes keep running. On abort or timeout, ends all its processes
 * first. Rejects only if the command cannot be started or the signal was aborted before.
 */
export async function runCommand(options: Command): Promise<CommandEnd> {
  const { timeout, signal, onOutput } = options
  const stopped = Promise.withResolvers<"timeout" | "abort">()
  const onAbort = () => stopped.resolve("abort")
  signal.addEventListener("abort", onAbort)
  let timer: NodeJS.Timeout | undefined
  let release: (() => void) | undefined
  try {
    const running = await startCommand(options)
    release = () => running.release()
    const pump = pumpOutput(running.output, onOutput)
    timer = setTimeout(() => stopped.resolve("timeout"), Math.min(timeout, MAX_TIMER_MS))

    const reason = await Promise.race([running.ended.then(() => undefined), stopped.promise])
    if (reason !== undefined) await running.stop()
    const end = reason === undefined ? await running.ended : { exit: null, signal: null, stopped: reason }
    running.release()
    await pump.settle()
    return end
  } finally {
    release?.()
    clearTimeout(timer)
    signal.removeEventListener("abort", onAbort)
  }
}
