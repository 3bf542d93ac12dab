import { syncBuiltinESMExports } from "node:module"
import { constants } from "node:os"

/** A call of code that is not pawl's which would end this process. */
export interface EndingCall {
  /** The name of the function, such as `process.abort`. */
  readonly name: string
  /** The stack below the call. */
  readonly stack: string
}

/** The functions of a process that end it. */
export interface EndingFunctions {
  readonly pid: number
  exit: (code?: number | string | null) => never
  reallyExit: (code?: number) => never
  abort: () => never
  kill: (pid: number, signal?: string | number) => true
}

export interface EndingCalls {
  /** Ends the process for pawl. */
  exit(code: number): never
  /** Replaces the functions, once: a call of other code is reported before the process ends. */
  watch(): void
}

/** Signals that end no process by default. */
const HARMLESS: ReadonlySet<string | number> = new Set([
  ...[0, "SIGCONT", "SIGWINCH", "SIGCHLD", "SIGURG", "SIGIO"],
  // Stops it, until the shell continues it.
  "SIGTSTP",
  // Starts Node's inspector.
  "SIGUSR1",
])

/**
 * Reports who ends the process; `report` returns the exit code. Without this, a plugin chooses the exit code, and
 * `process.reallyExit`, `process.abort` and signals to the process itself run no listener that could name the plugin.
 */
export function createEndingCalls(target: EndingFunctions, report: (call: EndingCall) => number): EndingCalls {
  const { pid } = target
  const own = {
    exit: target.exit.bind(target),
    reallyExit: target.reallyExit.bind(target),
    kill: target.kill.bind(target),
  }
  let isEnding = false
  let exitCode = 1
  let isWatching = false

  function exit(code: number): never {
    isEnding = true
    exitCode = code
    return own.exit(code)
  }

  function end(name: string, caller: (...args: never) => unknown): never {
    // A listener to the exit ends the process again.
    if (isEnding) return own.reallyExit(exitCode)
    isEnding = true
    const trace: { stack?: string } = {}
    Error.captureStackTrace(trace, caller)
    exitCode = report({ name, stack: trace.stack ?? "" })
    return own.exit(exitCode)
  }

  return {
    exit,
    watch() {
      if (isWatching) return
      isWatching = true
      target.exit = function exit() {
        return end("process.exit", target.exit)
      }
      target.reallyExit = function reallyExit(code) {
        // Node's own `process.exit` calls it last.
        return isEnding ? own.reallyExit(code) : end("process.reallyExit", target.reallyExit)
      }
      target.abort = function abort() {
        return end("process.abort", target.abort)
      }
      target.kill = function kill(id, signal = "SIGTERM") {
        const isOwn = id === pid || id === 0 || id === -pid
        if (!isOwn || isHarmless(signal)) return own.kill(id, signal)
        return end("process.kill", target.kill)
      }
      // For `import { exit } from "node:process"`.
      syncBuiltinESMExports()
    },
  }
}

function isHarmless(signal: string | number): boolean {
  const known = Object.entries(constants.signals)
  const name = typeof signal === "number" ? known.find(([, number]) => number === signal)?.[0] : signal
  const isKnown = signal === 0 || known.some(([each]) => each === name)
  // Node refuses an unknown signal.
  return !isKnown || HARMLESS.has(name ?? signal)
}
