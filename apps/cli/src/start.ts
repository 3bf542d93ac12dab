import { writeSync } from "node:fs"
import { homedir } from "node:os"
import { fileURLToPath } from "node:url"
import type { ProcessGuard } from "@pawl/process-guard"
import { createSecrets, secretVariables } from "@pawl/secrets"
import { cli } from "./cli.ts"
import { createEndingCalls, type EndingFunctions } from "./ending-calls.ts"
import { blockCause, callCause, type EnderOf, exitCause } from "./exit-cause.ts"
import { exitCodes } from "./exit-code.ts"
import { createLog } from "@pawl/runtime/logging/log"
import { appendLog } from "@pawl/runtime/logging/log-file"
import { logLine } from "@pawl/runtime/logging/log-line"
import type { Host } from "./host.ts"
import { createOutput } from "./output/output.ts"
import { takeStdout } from "./output/stray-output.ts"
import { programName } from "./program-name.ts"
import { plainLine } from "@pawl/plain-text"
import { endingSignals } from "./signals/ending-signals.ts"

/** How long something forgotten may keep the process alive after its work, in milliseconds. */
const LINGER = 1000

/** Runs the command line in this process. Leaves the exit to Node, so that nothing printed is cut off. */
export async function start(args: readonly string[]): Promise<void> {
  const secrets = createSecrets()
  for (const [name, value] of secretVariables(process.env)) secrets.add(value, name)
  const { pid } = process
  const log = createLog({ toLine: (record) => logLine(record, { pid, secrets }), append: appendLog, now: Date.now })
  process.on("uncaughtExceptionMonitor", (error) =>
    log.write("error", "crash", { stack: error.stack ?? String(error) }),
  )
  let isOver = false
  const enders = new Set<EnderOf>()
  let reportExit: ((cause: string) => void) | undefined
  const stderr = createOutput(process.stderr, process.env["TERM"])
  const stray = takeStdout((line) => stderr.write(`${secrets.mask(plainLine(line))}\n`))
  let guard: ProcessGuard | undefined
  let guarding: Promise<ProcessGuard> | undefined
  let isReported = false
  const reportOnce = (cause: string) => {
    isReported = true
    ;(reportExit ?? tellEnd)(secrets.mask(cause))
  }
  const endings = createEndingCalls(process as unknown as EndingFunctions, (call) => {
    if (isOver) return Number(process.exitCode ?? exitCodes.success)
    reportOnce(callCause(call, enders))
    return exitCodes.failed
  })
  endings.watch()
  process.on("exit", (code) => {
    stray.flush()
    const cause = isOver || isReported ? undefined : exitCause(new Error("The process ends.").stack ?? "", code, enders)
    if (cause !== undefined) reportOnce(cause)
    // Other code does not choose the exit code.
    if (!isOver && (code === 0 || cause !== undefined)) process.exitCode = exitCodes.failed
    // Who is stopped or crashes leaves nothing; what a plugin left running on purpose may outlive work that is done.
    if (isOver && code < STOPPED) guard?.release()
    log.flush()
  })
  const signals = endingSignals((stack) => {
    const cause = blockCause(stack, enders)
    log.write("warn", "blocked", { stack })
    log.flush()
    if (cause !== undefined) tellEnd(cause, stderr.isTerminal)
  })
  const host: Host = {
    environment: process.env,
    // A shell can stand in a directory that was removed since. Nothing has this name, so that working there fails with it.
    directory: attempt(() => process.cwd()) ?? `${process.env["PWD"] ?? ""} (removed)`.replace(/^(?!\/)/, "/"),
    home: attempt(() => homedir()),
    program: programName(process.argv[1] ?? "", process.env),
    // The same way from `src` and from the bundle in `dist`.
    demoDirectory: fileURLToPath(new URL("../demo", import.meta.url)),
    secrets,
    log,
    // Made at first use: most commands never read it.
    get stdin() {
      return process.stdin
    },
    stdout: createOutput(stray.stdout, process.env["TERM"]),
    stderr,
    onPrinted: (listener) => stray.listen(listener),
    onSignal: (listener) => signals.listen(listener),
    watchThread: () => signals.watch(),
    guard() {
      guarding ??= import("@pawl/process-guard").then(({ guardProcess }) => (guard = guardProcess(process.env)))
      return guarding
    },
    explainExit(enderOf) {
      enders.add(enderOf)
      return () => enders.delete(enderOf)
    },
    reportExit(report) {
      const before = reportExit
      reportExit = report
      return () => {
        reportExit = before
      }
    },
    exit(code) {
      isOver = true
      endings.exit(code)
    },
  }
  process.exitCode = await cli(args, host)
  isOver = true
  // Without a code, the call would reset the exit code.
  setTimeout(() => endings.exit(Number(process.exitCode ?? exitCodes.success)), LINGER).unref()
}

/** Exit codes above this one mean a signal. */
const STOPPED = 128

/** Writes at once, as code that is not pawl's ends the process or keeps it busy. */
function tellEnd(sentence: string, isTerminal = false): void {
  try {
    // A terminal's line may hold the status.
    writeSync(2, `${isTerminal ? "\r\u001B[2K" : ""}pawl: ${sentence}\n`)
  } catch {
    // The exit code says it.
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
