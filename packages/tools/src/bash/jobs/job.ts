import { pumpOutput } from "../output-pump.ts"
import type { RunningCommand } from "../start-command.ts"
import { createTerminalText } from "../terminal-text.ts"
import type { JobLog } from "./job-log.ts"
import { createJobReader, type JobReader } from "./job-reader.ts"
import { MAX_TIMER_MS } from "../../max-timer.ts"

/** A command in the background of a session. */
export interface Job {
  readonly id: string
  readonly command: string
  /** Epoch milliseconds. */
  readonly started: number
  readonly log: JobLog
  readonly reader: JobReader
  /** Undefined while the job runs. */
  readonly end: (JobEnd & { /** Epoch milliseconds. */ readonly time: number }) | undefined
  /** Resolves when the job has ended and its output is in the log. True if it left processes in the background. */
  readonly finished: Promise<boolean>
  /** Resolves at the next output or at the end, at once if the job has ended. */
  changed(): Promise<void>
  /** Ends the job and its background processes. Resolves when they are gone and all output is in the log. */
  stop(reason: NonNullable<JobEnd["stopped"]>): Promise<void>
}

export interface JobEnd {
  readonly exit: number | null
  readonly signal: NodeJS.Signals | null
  /** Reason for an early end. */
  readonly stopped?: "kill" | "timeout" | "abort"
}

export interface JobParts {
  readonly id: string
  readonly command: string
  readonly log: JobLog
  readonly running: RunningCommand
  /** Milliseconds until the job is ended. Default: no limit. */
  readonly timeout?: number | undefined
}

/** Watches a started command and writes its output to the log. */
export function followJob({ id, command, log, running, timeout }: JobParts): Job {
  const terminal = createTerminalText()
  const started = Date.now()
  let end: Job["end"]
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
    timeout === undefined ? undefined : setTimeout(() => void stop("timeout"), Math.min(timeout, MAX_TIMER_MS))
  timer?.unref()

  const finished = (async () => {
    const result = await running.ended
    clearTimeout(timer)
    await pump.settle()
    await log.write(terminal.end())
    await log.close()
    const isLeft = await running.forgetLeader()
    if (!isLeft) running.release()
    end = { ...result, ...(stopped !== undefined && { stopped }), time: Date.now() }
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
    ...{ id, command, started, log, reader, finished, stop },
    get end() {
      return end
    },
    changed: () => (end === undefined ? change.promise : Promise.resolve()),
  }
}
