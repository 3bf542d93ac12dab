import { writeSync } from "node:fs"
import type { IPty } from "@lydell/node-pty"
import { createProcessTable, DEFAULT_GRACE, type Guardian, startGuarded, stopProcesses } from "@pawl/process-guard"
import type { TerminalLibrary } from "../host.ts"

export interface TerminalProcessOptions {
  readonly library: TerminalLibrary
  readonly guardian: Guardian
  /** Absolute path. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Bytes of unread input that are kept. */
  readonly maxInput: number
  /** Called with output in whole code points. */
  readonly onData: (text: string) => void
  /** Called after the last output. */
  readonly onExit: (exitCode: number) => void
}

/** A program in a terminal, which ends with this process in any case. */
export interface TerminalProcess {
  readonly pid: number
  /** Returns false without writing if the program has left too much input unread. */
  write(bytes: Buffer): boolean
  resize(size: { readonly rows: number; readonly cols: number }): void
  /** Stops reading the output, so that the program waits. */
  pause(): void
  resume(): void
  /** Ends the program and all that it has started. Resolves when they are gone. */
  stop(): Promise<void>
}

/** The parts of a terminal on Unix that the library's types leave out. */
interface UnixPty {
  readonly fd?: number
  readonly _socket?: { readonly destroyed: boolean }
}

const RETRY_MS = 10
const ALIVE_CHECK_MS = 50

export function startTerminalProcess(options: TerminalProcessOptions): TerminalProcess {
  const { library, guardian, program, args, cwd, env, maxInput, onData, onExit } = options
  const { child, call, release } = startGuarded(guardian, { env, leads: true }, (marked): IPty => {
    return library.spawn(program, [...args], { name: env["TERM"] ?? "xterm", cols: 80, rows: 24, cwd, env: marked })
  })
  const { fd, _socket: socket } = child as UnixPty
  const input: Buffer[] = []
  let waiting = 0
  let retry: NodeJS.Timeout | undefined
  let aliveCheck: NodeJS.Timeout | undefined
  let isEnded = false
  let stopping: Promise<void> | undefined

  child.onData(onData)
  child.onExit(({ exitCode, signal = 0 }) => {
    isEnded = true
    clearTimeout(retry)
    clearInterval(aliveCheck)
    onExit(signal === 0 ? exitCode : 128 + signal)
  })

  /**
   * Writes without waiting. The library's own writes would block this process while the program does not read, because
   * libuv has no other writes to the master of a terminal.
   */
  function flush(): void {
    retry = undefined
    for (;;) {
      const [bytes] = input
      if (bytes === undefined || fd === undefined || isEnded || socket?.destroyed) return
      let written = 0
      try {
        written = writeSync(fd, bytes)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return
      }
      waiting -= written
      if (written === bytes.length) input.shift()
      else input[0] = bytes.subarray(written)
      if (written === 0) {
        retry = setTimeout(flush, RETRY_MS)
        return
      }
    }
  }

  function resume(): void {
    clearInterval(aliveCheck)
    if (!isEnded) child.resume()
  }

  async function endAll(): Promise<void> {
    // Shells end on SIGHUP, which a closing terminal sends, but ignore SIGTERM.
    if (!isEnded) child.kill(process.platform === "win32" ? undefined : "SIGHUP")
    await stopProcesses(call, createProcessTable(), DEFAULT_GRACE)
    release()
  }

  return {
    pid: child.pid,
    write(bytes) {
      if (isEnded) return true
      if (waiting + bytes.length > maxInput) return false
      if (fd === undefined) child.write(bytes.toString())
      else {
        input.push(bytes)
        waiting += bytes.length
        if (retry === undefined) flush()
      }
      return true
    },
    resize({ rows, cols }) {
      // The terminal is closed a moment before the end is reported. Its number may be that of another one then.
      if (!isEnded && !socket?.destroyed) child.resize(cols, rows)
    },
    pause() {
      if (isEnded) return
      child.pause()
      // The library drops the last output of a program that ends while nothing is read.
      aliveCheck = setInterval(() => {
        if (!isAlive(child.pid)) resume()
      }, ALIVE_CHECK_MS)
    },
    resume,
    stop: () => (stopping ??= endAll()),
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
