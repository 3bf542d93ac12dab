import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { toThreshold } from "@pawl/runtime/logging/log-level"
import { logStart } from "../logging/log-start.ts"
import { verboseLine } from "../logging/verbose-line.ts"
import { quietOutput } from "../output/quiet-output.ts"
import { collectedOutput } from "../output/collected-output.ts"
import { absolute } from "@pawl/config/layer"
import type { General } from "./general.ts"
import { UsageError } from "./usage-error.ts"

export interface GeneralRequest {
  readonly general: General
  /** The command's name. */
  readonly name: string
  /** The command's own options, as parsed. */
  readonly options: object
  /** Set if the command has no JSON output of its own. Its output is then collected into one JSON object. */
  readonly isTold: boolean
}

export interface BegunCommand {
  /** The host under the general options. */
  readonly host: Host
  /** Prints what was held back, and logs the end. */
  end(exitCode: ExitCode): void
}

/** Applies the general options to a host, and logs the beginning of the command. */
export function beginCommand({ general, name, options, isTold }: GeneralRequest, original: Host): BegunCommand {
  const { quiet, verbose, color, config } = general
  if (quiet && verbose) throw new UsageError("--quiet and --verbose cannot be used together")
  const environment = {
    ...original.environment,
    ...(color === undefined ? {} : { PAWL_COLOR: color }),
    ...(config === undefined
      ? {}
      : { PAWL_CONFIG: absolute(config, { base: original.directory, home: original.home }) }),
  }
  const quieted = quiet ? quietOutput(original.stderr) : undefined
  const repeated = config === undefined ? [] : ([["--config", config]] as const)
  const configured = changed(original, { environment, repeated, stderr: quieted ?? original.stderr })
  const chunks: string[] = []
  const collected = isTold ? collectedOutput(configured.stdout, chunks, { passes: false }) : undefined
  const stderr = collected ? collectedOutput(configured.stderr, chunks, { passes: true }) : configured.stderr
  const host = collected ? changed(configured, { stdout: collected, stderr }) : configured
  // The log goes to the original stderr: it is neither held back nor part of the collected output.
  beginLog(general, changed(host, { stderr: original.stderr }))
  const ended = logStart(host, name, Object.keys(options))
  return {
    host,
    end(exitCode) {
      if (exitCode !== exitCodes.success) quieted?.release()
      if (collected) {
        const lines = collected.lines().map((line) => host.secrets.mask(line))
        original.stdout.write(`${JSON.stringify({ command: name, exitCode, said: lines })}\n`)
      }
      ended(exitCode)
    },
  }
}

/** Copies a host by its property descriptors, so that stdin is still opened at first use. */
function changed(host: Host, changes: Partial<Host>): Host {
  const own = Object.getOwnPropertyDescriptors(host)
  return Object.defineProperties({}, { ...own, ...Object.getOwnPropertyDescriptors(changes) }) as Host
}

function beginLog({ "log-level": level, "print-logs": isPrinted, verbose }: General, host: Host): void {
  const { log, stderr, environment } = host
  const wanted = toThreshold(level ?? environment["PAWL_LOG_LEVEL"])
  if (isPrinted && wanted !== "off") log.listen(wanted ?? "info", (line) => stderr.write(`${line}\n`))
  else if (verbose) {
    const line = verboseLine(host)
    log.listen("debug", (_line, record) => stderr.write(`${line(record)}\n`))
  }
  log.choose(wanted)
}
