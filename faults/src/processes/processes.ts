import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"

export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  /** Output on stderr. */
  readonly errors: string
}

export interface RunningProcess {
  readonly pid: number
  readonly ended: Promise<Ended>
  /** Resolves when the process has printed the text on stdout or stderr. Rejects if it ends before. */
  printed(text: string): Promise<void>
  write(line: string): void
  kill(signal: NodeJS.Signals): void
}

/** Starts processes and tracks running ones, so that all can be ended. */
export interface Processes {
  start(command: string, args: readonly string[], environment?: Readonly<Record<string, string>>): RunningProcess
  /** Kills running and stopped processes and waits for their end. No process can be started afterwards. */
  endAll(): Promise<void>
}

export function createProcesses(): Processes {
  const running = new Set<RunningProcess>()
  let isEnded = false

  return {
    start(command, args, environment = {}) {
      if (isEnded) throw new Error(`${command} is not started: the sweeps were ended.`)
      const child = spawn(command, args, { env: { ...process.env, ...environment }, stdio: "pipe" })
      const started = follow(child, command)
      running.add(started)
      void started.ended.finally(() => running.delete(started)).catch(() => undefined)
      return started
    },
    async endAll() {
      isEnded = true
      for (const each of running) each.kill("SIGKILL")
      await Promise.allSettled([...running].map(({ ended }) => ended))
    },
  }
}

function follow(child: ChildProcessWithoutNullStreams, command: string): RunningProcess {
  let [output, errors] = ["", ""]
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
  // Ignore write errors of an ended process.
  child.stdin.on("error", () => undefined)
  const ended = once(child, "close").then(([status, signal]): Ended => {
    return { status: status as number | null, signal: signal as NodeJS.Signals | null, errors }
  })

  return {
    pid: child.pid ?? 0,
    ended,
    async printed(text) {
      const closing = new AbortController()
      const isPrinted = () => output.includes(text) || errors.includes(text)
      void ended.finally(() => closing.abort()).catch(() => undefined)
      while (!isPrinted()) {
        if (closing.signal.aborted) throw new Error(`${command} ended before it printed "${text}": ${errors}`)
        const { signal } = closing
        const heard = [child.stdout, child.stderr].map((stream) => once(stream, "data", { signal }))
        await Promise.race(heard).catch(() => ended)
      }
    },
    write: (line) => void child.stdin.write(`${line}\n`),
    kill: (signal) => void child.kill(signal),
  }
}
