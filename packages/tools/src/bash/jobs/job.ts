import { pumpOutput } from "../output-pump.ts"
import type { RunningCommand } from "../start-command.ts"
import { createTerminalText } from "../terminal-text.ts"
import type { JobLog } from "./job-log.ts"
import { createJobReader, type JobReader } from "./job-reader.ts"

/** A command that runs while its session goes on. */
export interface Job {
  readonly id: string
  readonly command: string
  readonly log: JobLog
  readonly reader: JobReader
  /** Undefined while it runs. */
  readonly end: JobEnd | undefined
  /** Resolves when it has ended and its output is in the log, with whether it left something in the background. */
  readonly finished: Promise<boolean>
  /** Resolves at the next output or at the end; at once when it has ended. */
  changed(): Promise<void>
  /** Ends it and what it left in the background; resolves when nothing is left and all output is in the log. */
  stop(reason: NonNullable<JobEnd["stopped"]>): Promise<void>
}

export interface JobEnd {
  readonly exit: number | null
  readonly signal: NodeJS.Signals | null
  /** Who ended it before its time. */
  readonly stopped?: "kill" | "timeout" | "abort"
}

export interface JobParts {
  readonly id: string
  readonly command: string
  readonly log: JobLog
  readonly running: RunningCommand
  /** Milliseconds after which it is ended; absent: never. */
  readonly timeout?: number | undefined
}

const MAX_TIMEOUT = 2 ** 31 - 1

/** Follows a command that has started; what it writes goes to the log. */
export function followJob({ id, command, log, running, timeout }: JobParts): Job {
  const terminal = createTerminalText()
  let end: JobEnd | undefined
  let stopped: JobEnd["stopped"]
  let change = Promise.withResolvers<void>()
  const reader = createJobReader(log)

  function tell(): void {
    change.resolve()
    change = Promise.withResolvers<void>()
  }
  const pump = pumpOutput(running.output, (chunk) => {
    const text = terminal.feed(chunk)
    return text === "" ? undefined : log.write(text).then(tell)
  })
  const timer =
    timeout === undefined ? undefined : setTimeout(() => void stop("timeout"), Math.min(timeout, MAX_TIMEOUT))
  timer?.unref()

  const finished = (async () => {
    const result = await running.ended
    clearTimeout(timer)
    await pump.settle()
    await log.write(terminal.end())
    await log.close()
    const isLeft = await running.forgetLeader()
    if (!isLeft) running.release()
    end = { ...result, ...(stopped !== undefined && { stopped }) }
    tell()
    return isLeft
  })()

  async function stop(reason: NonNullable<JobEnd["stopped"]>): Promise<void> {
    if (end === undefined) stopped ??= reason
    await running.stop()
    await finished
    running.release()
  }

  return {
    ...{ id, command, log, reader, finished, stop },
    get end() {
      return end
    },
    changed: () => (end === undefined ? change.promise : Promise.resolve()),
  }
}
