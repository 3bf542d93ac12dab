import { writeSync } from "node:fs"
import { homedir } from "node:os"
import { fileURLToPath } from "node:url"
import { createSecrets, secretVariables } from "@pawl/secrets"
import { cli } from "./cli.ts"
import { exitCodes } from "./exit-code.ts"
import { createLog } from "./logging/log.ts"
import { appendLog } from "./logging/log-file.ts"
import { logLine } from "./logging/log-line.ts"
import type { EndingSignal, Host } from "./host.ts"
import { createOutput } from "./output/output.ts"
import { programName } from "./program-name.ts"

const ENDING_SIGNALS: readonly EndingSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"]

/** How long something forgotten may keep the process alive after its work, in milliseconds. */
const LINGER = 1000

/** Runs this process's command line. Leaves the exit to Node, so that nothing printed is cut off. */
export async function start(): Promise<void> {
  const secrets = createSecrets()
  for (const [name, value] of secretVariables(process.env)) secrets.add(value, name)
  const { pid } = process
  const log = createLog({ toLine: (record) => logLine(record, { pid, secrets }), append: appendLog, now: Date.now })
  process.on("uncaughtExceptionMonitor", (error) =>
    log.write("error", "crash", { stack: error.stack ?? String(error) }),
  )
  let isOver = false
  process.on("exit", (code) => {
    if (!isOver && code === 0) process.exitCode = endedByOthers()
    log.flush()
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
    stdout: createOutput(process.stdout, process.env["TERM"]),
    stderr: createOutput(process.stderr, process.env["TERM"]),
    onSignal(listener) {
      for (const signal of ENDING_SIGNALS) process.on(signal, listener)
      return () => {
        for (const signal of ENDING_SIGNALS) process.off(signal, listener)
      }
    },
    exit(code) {
      isOver = true
      process.exit(code)
    },
  }
  process.exitCode = await cli(process.argv.slice(2), host)
  isOver = true
  setTimeout(() => process.exit(), LINGER).unref()
}

/** Code that is not pawl's may end the process: what was asked for is not done then. */
function endedByOthers(): number {
  try {
    writeSync(
      2,
      "pawl: something ended this process before its work was done, such as a plugin that calls process.exit.\n",
    )
  } catch {
    // The exit code says it.
  }
  return exitCodes.failed
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
