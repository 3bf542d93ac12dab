import { resolve } from "node:path"
import type { Recording } from "@pawl/provider-replay"
import { maskedStrings } from "@pawl/secrets"
import { type CommandInput, defineCommand } from "../arguments/command.ts"
import { UsageError } from "../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import { explainError } from "../explain-error.ts"
import type { Host } from "../host.ts"
import { plainLine } from "@pawl/plain-text"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { isSame, summaryLine, verdictLines } from "../replay/verdict-lines.ts"
import type { Verdict } from "@pawl/replay/difference"
import type { Show } from "../replay/show.ts"
import type { LiveTools } from "@pawl/replay/rehearse"
import { listenForStop, type Stop, stopCode, type StopReason } from "../run/stop.ts"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { format, modelOptions, trustOptions } from "../command-options.ts"

const { "base-url": baseURL, "api-key-env": keyVariable } = modelOptions

const replayOptions = {
  against: {
    value: "<provider/model>",
    completes: "models",
    summary: "run the task with this model and compare it with the recording",
  },
  "live-tools": { summary: "run tools instead of using recorded results; requires --dir" },
  dir: { value: "<directory>", completes: "directories", summary: "working directory of live tools" },
  pace: { value: "<factor>", summary: "playback delay factor; 1 = as recorded, 0 = none (default: 0)" },
  ignore: {
    value: "<what>",
    choices: ["system", "tools"],
    multiple: true,
    summary: "do not compare system prompts or tool definitions",
  },
  sanitize: {
    value: "<file>",
    completes: "files",
    summary: "write a copy without secrets, names and home directories; report what is left",
  },
  "without-content": { summary: "with --sanitize: also replace all texts, keeping only their shape" },
  overwrite: { summary: "with --sanitize: replace an existing file" },
  "base-url": baseURL,
  "api-key-env": keyVariable,
  ...trustOptions,
  ...format,
} as const

type Input = CommandInput<typeof replayOptions>

/** Replays recordings and reports differences. */
async function replay(input: Input, host: Host): Promise<ExitCode> {
  checkOptions(input)
  const stop = listenForStop(host, () => performance.now())
  try {
    const code = await replayed(input, host, stop)
    return stop.signal.aborted ? stopCode(stop.signal.reason as StopReason) : code
  } catch (error) {
    if (stop.signal.aborted) return stopCode(stop.signal.reason as StopReason)
    throw error
  } finally {
    stop.dispose()
  }
}

async function replayed(input: Input, host: Host, stop: Stop): Promise<ExitCode> {
  const { options, words } = input
  const [file = ""] = words
  if (options.sanitize !== undefined) {
    const { sanitizeRecording } = await import("../replay/sanitize.ts")
    return sanitizeRecording(host, {
      ...{ from: resolve(host.directory, file), to: resolve(host.directory, options.sanitize) },
      ...{ replaces: options.overwrite === true, level: options["without-content"] ? "content" : "secrets" },
      signal: stop.signal,
    })
  }
  const live = await liveTools(input, host)
  if (options.against !== undefined) {
    const { replayAgainst } = await import("../replay/against.ts")
    const recording = await readFile(file, host, stop.signal)
    return replayAgainst(recording, host, {
      model: { model: options.against, baseURL: options["base-url"], keyVariable: options["api-key-env"] },
      live,
      signal: stop.signal,
      format: options.format ?? "text",
    })
  }
  return words.length === 1 ? showOne(input, host, { file, live, stop }) : tellMany(input, host, { live, stop })
}

interface Rehearsing {
  readonly live: LiveTools | undefined
  readonly stop: Stop
}

async function showOne(
  input: Input,
  host: Host,
  { file, live, stop }: Rehearsing & { file: string },
): Promise<ExitCode> {
  const recording = await readFile(file, host, stop.signal)
  const { createShow } = await import("../replay/show.ts")
  const show = createShow(host, { recording, format: input.options.format ?? "text" })
  try {
    const verdict = await rehearsed(recording, input, { live, stop, show })
    show.end()
    if (stop.signal.aborted) return exitCodes.failed
    if (input.options.format !== "json") host.stdout.write("\n")
    tell(file, verdict, input, host)
    return isSame(verdict) ? exitCodes.success : exitCodes.failed
  } finally {
    show.end()
  }
}

async function tellMany(input: Input, host: Host, { live, stop }: Rehearsing): Promise<ExitCode> {
  const verdicts: (Verdict | Error)[] = []
  for (const file of input.words) {
    if (stop.signal.aborted) return exitCodes.failed
    try {
      const verdict = await rehearsed(await readFile(file, host, stop.signal), input, { live, stop })
      if (stop.signal.aborted) return exitCodes.failed
      verdicts.push(verdict)
      tell(file, verdict, input, host)
    } catch (error) {
      if (stop.signal.aborted) throw error
      verdicts.push(error instanceof Error ? error : new Error(String(error)))
      tellFailure(file, error, input, host)
    }
  }
  const theme = createTheme(wantsColour(host.environment, host.stdout.isTerminal))
  if (input.options.format !== "json") host.stdout.write(`${summaryLine(verdicts, theme)}\n`)
  if (verdicts.some((verdict) => verdict instanceof Error)) return exitCodes.usage
  return verdicts.every((verdict) => !(verdict instanceof Error) && isSame(verdict))
    ? exitCodes.success
    : exitCodes.failed
}

async function rehearsed(
  recording: Recording,
  { options }: Input,
  { live, stop, show }: Rehearsing & { readonly show?: Show },
): Promise<Verdict> {
  const { rehearse } = await import("@pawl/replay/rehearse")
  try {
    return await rehearse(recording, {
      ...{ pace: factor(options.pace), ignored: new Set(options.ignore ?? []), signal: stop.signal },
      ...(live ? { live } : {}),
      ...(show ? { onEvent: (event, rootID) => show.event(event, rootID), onEnd: (result) => show.turn(result) } : {}),
    })
  } catch (error) {
    if (error instanceof UsageError || stop.signal.aborted) throw error
    throw new UsageError(`${recording.name} cannot be replayed: ${explainError(error).message}`)
  }
}

/** Reads a recording. Rejects with UsageError that names file and line for an invalid one. */
async function readFile(file: string, { directory }: Host, signal: AbortSignal): Promise<Recording> {
  const { readRecording } = await import("@pawl/provider-replay")
  try {
    return await readRecording(resolve(directory, file), file, signal)
  } catch (error) {
    if (error instanceof Error && error.name === "ProviderError") throw new UsageError(error.message)
    const { code } = error as NodeJS.ErrnoException
    if (code === "ENOENT") throw new UsageError(`There is no file ${file}.`, "Make one: pawl run --record <file>")
    if (code === "EISDIR") throw new UsageError(`${file} is a directory: name the recordings in it.`)
    throw error
  }
}

function tell(file: string, verdict: Verdict, { options }: Input, { stdout, environment, secrets }: Host): void {
  if (options.format === "json") {
    const shown = maskedStrings({ ...verdict }, (text) => secrets.mask(text))
    stdout.write(`${JSON.stringify({ type: "replay", file, same: isSame(verdict), ...shown })}\n`)
    return
  }
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const columns = stdout.isTerminal ? stdout.columns : 160
  stdout.write(`${secrets.mask(verdictLines(file, verdict, { columns, theme }).join("\n"))}\n`)
}

function tellFailure(file: string, error: unknown, { options }: Input, { stdout, environment }: Host): void {
  const { message } = explainError(error)
  if (options.format === "json") return stdout.write(`${JSON.stringify({ type: "replay", file, error: message })}\n`)
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  stdout.write(`${theme.bad("unusable")} ${plainLine(message)}\n`)
}

async function liveTools({ options }: Input, host: Host): Promise<LiveTools | undefined> {
  if (!options["live-tools"] || options.dir === undefined) return undefined
  const { openLiveTools } = await import("@pawl/replay/live-tools")
  return openLiveTools(await workDirectory(host, options.dir), host, options.trust)
}

const HELP = "See: pawl replay --help"

function checkOptions({ options, words }: Input): void {
  const { against, sanitize, dir, overwrite, "live-tools": live, "without-content": withoutContent } = options
  if (words.includes("")) throw new UsageError("The name of a recording is empty.", HELP)
  if (live && dir === undefined) {
    throw new UsageError(
      "--live-tools runs what the recording says: name a directory for it with --dir.",
      "A copy of your project, or an empty one.",
    )
  }
  if (dir !== undefined && !live) throw new UsageError("--dir requires --live-tools.", HELP)
  const single = sanitize === undefined ? (against === undefined ? undefined : "--against") : "--sanitize"
  if (single !== undefined && words.length > 1) throw new UsageError(`${single} takes one recording.`, HELP)
  if (sanitize !== undefined && against !== undefined)
    throw new UsageError("--sanitize and --against cannot be used together.", HELP)
  if (sanitize === undefined && (withoutContent || overwrite)) {
    throw new UsageError(`${withoutContent ? "--without-content" : "--overwrite"} requires --sanitize <file>.`, HELP)
  }
  if (against === undefined && (options["base-url"] ?? options["api-key-env"]) !== undefined) {
    throw new UsageError("--base-url and --api-key-env require --against.", HELP)
  }
  factor(options.pace)
}

function factor(text: string | undefined): number {
  if (text === undefined) return 0
  const number = Number(text)
  if (text.trim() !== "" && Number.isFinite(number) && number >= 0) return number
  throw new UsageError(`invalid value "${text}" for --pace: expected a number, 0 or more`, HELP)
}

export const command = defineCommand({
  usage: [
    "replay [options] <file> …",
    "replay --against <provider/model> <file>",
    "replay --sanitize <new file> <file>",
  ],
  notes: [
    "The recording comes from pawl run --record or pawl session export --recording. The model's replies and the tool results come " +
      "from the file. Nothing is run, stored or sent, and the configuration is not read.",
    "Requests, results, answers and ends are compared with the recording. Dates, directories and session ids may differ. With " +
      "several files, only the verdicts are shown.",
    "With --against, the model gets the same task. A recorded call gets its recorded result; another call gets an error. With " +
      "--live-tools, tools run in --dir as your rules allow; a call that needs approval is denied.",
  ],
  words: {
    min: 1,
    max: Infinity,
    completes: "files",
    missing: "missing recording; make one: pawl run --record <file>",
  },
  options: replayOptions,
  exitCodes: {
    0: "the replay matches the recording; with --against: the model answered",
    1: "the replay differs; with --against: the model failed",
    2: "invalid file or command line",
  },
  examples: [
    ["pawl replay bug.jsonl", "replay a run and report differences"],
    ["pawl replay fixtures/*.jsonl", "use recordings as a regression test"],
    ["pawl replay bug.jsonl --against ollama/qwen3-coder", "run the task with another model"],
    ["pawl replay --sanitize report.jsonl bug.jsonl", "make a copy for a bug report"],
  ],
  run: replay,
})
