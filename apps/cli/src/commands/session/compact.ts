import { resolve } from "node:path"
import { EmptySessionError, type RunResult } from "@pawl/core"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { createScreen, type Screen } from "../../output/screen.ts"
import { type Compacted, compactedLine } from "@pawl/terminal-text/compaction-line"
import { errorLines } from "../../render/error-lines.ts"
import { wrap } from "@pawl/terminal-text/flow"
import { plainLine } from "@pawl/plain-text"
import { duration, plural } from "@pawl/terminal-text/quantity"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { compactionEnding } from "../../run/compaction-task.ts"
import { nextCommandFor } from "../../run/next-command.ts"
import { listenForStop, type Stop, stopCode, type StopReason } from "../../run/stop.ts"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { formattedStorageOptions, modelOptions } from "../../command-options.ts"
import { openRuntime, type Runtime } from "@pawl/runtime/open-runtime"

const sessionCompactOptions = {
  focus: { value: "<text>", summary: "topic that the summary should cover in detail" },
  ...modelOptions,
  dir: {
    value: "<directory>",
    completes: "directories",
    summary: "directory of the newest session (default: this one)",
  },
  ...formattedStorageOptions,
} as const

type Input = CommandInput<typeof sessionCompactOptions>

async function sessionCompact(input: Input, host: Host): Promise<ExitCode> {
  const { options, words } = input
  const focus = options.focus?.trim()
  if (focus === "") throw new UsageError("--focus is empty.", "See: pawl session compact --help")
  const [id] = words
  const stop = listenForStop(host, () => performance.now())
  try {
    const directory = await workDirectory(host, options.dir)
    const script = options.script === undefined ? undefined : resolve(host.directory, options.script)
    const { model, "base-url": baseURL, "api-key-env": keyVariable, storage, format = "text" } = options
    const runtime = await openRuntime({
      directory,
      storage,
      session: id === undefined ? { type: "newest" } : { type: "id", id },
      model: { model, baseURL, keyVariable, script },
      isSummarizer: model !== undefined || script !== undefined,
      host,
      interaction: { notice: (text) => host.stderr.write(`${host.secrets.mask(text)}\n`) },
    })
    try {
      if (stop.signal.aborted) return stopCode(stop.signal.reason as StopReason)
      return await compact(runtime, { focus, format, storage: options.storage }, host, stop)
    } finally {
      await runtime.close()
    }
  } finally {
    stop.dispose()
  }
}

interface Wishes {
  readonly focus: string | undefined
  readonly format: "text" | "json"
  /** Value of --storage. */
  readonly storage: string | undefined
}

async function compact(
  { engine, session, model, notices }: Runtime,
  { focus, format, storage: url }: Wishes,
  host: Host,
  stop: Stop,
): Promise<ExitCode> {
  const { stdout, stderr, environment } = host
  const sessionID = (session as NonNullable<typeof session>).id
  const theme = createTheme(wantsColour(environment, stderr.isTerminal))
  const screen = createScreen({ stdout, stderr, theme, now: () => performance.now() })
  const say = (text: string) => screen.note(fitted(host.secrets.mask(text), host).map((line) => theme.faint(line)))
  for (const notice of notices) say(notice)
  const began = performance.now()
  let done: Compacted | undefined
  const abort = () => void engine.abort(sessionID)
  const unsubscribe = engine.subscribe((event) => {
    if (event.type === "session.compacting") screen.status({ label: "writing a summary", since: performance.now() })
    if (event.type === "session.compacted") done = event.properties
    if (event.type === "session.notice") say(plainLine(event.properties.message))
    // The stop may have been requested just before the run began.
    if (event.type === "session.status" && event.properties.status.type === "busy" && stop.signal.aborted) abort()
  })
  stop.signal.addEventListener("abort", abort, { once: true })
  try {
    screen.status({ label: "reading the session", since: began })
    const result = await engine.compact(sessionID, { model, ...(focus === undefined ? {} : { focus }) })
    screen.close()
    if (result.type === "aborted") {
      say("The session is unchanged.")
      return stopCode(stop.signal.aborted ? (stop.signal.reason as StopReason) : "SIGINT")
    }
    const reason = whyNot(result)
    if (reason !== undefined || !done) return fail(reason ?? "Nothing was compacted.", screen, host)
    if (format === "json") stdout.write(`${JSON.stringify(done)}\n`)
    else {
      const replaced = `${plural(done.dropped.length, "message")} replaced`
      screen.note(fitted([compactedLine(done), replaced, duration(performance.now() - began)].join(" · "), host))
      screen.note([`${theme.faint("go on:")} ${nextCommandFor(host, sessionID, url)}`])
    }
    return exitCodes.success
  } catch (error) {
    if (error instanceof EmptySessionError) return fail(error.message, screen, host)
    throw error
  } finally {
    unsubscribe()
    stop.signal.removeEventListener("abort", abort)
    screen.close()
  }
}

/** Returns the reason why the session was not compacted. Undefined if it was. */
function whyNot(result: RunResult): string | undefined {
  return compactionEnding(result, undefined).error?.data.message
}

function fail(message: string, screen: Screen, { stderr, environment, secrets }: Host): ExitCode {
  const theme = createTheme(wantsColour(environment, stderr.isTerminal))
  screen.close()
  screen.note(errorLines(message, { output: stderr, theme, secrets }))
  return exitCodes.failed
}

function fitted(text: string, { stderr }: Host): string[] {
  return stderr.isTerminal ? wrap(text, Math.min(stderr.columns, 100)) : [text]
}

export const command = defineCommand({
  usage: ["session compact [options] [id]"],
  notes: [
    "The model writes a summary that replaces older messages in the context. The newest messages, pinned notes, the todo list, " +
      "instructions and your prompts stay unchanged. Nothing is deleted: pawl session show still prints everything. " +
      "Default session: the newest one of this directory.",
    "The model comes from -m, from agent.compaction.model in the configuration, or from the session, in this order.",
  ],
  words: { min: 0, max: 1, completes: "sessions" },
  options: sessionCompactOptions,
  exitCodes: {
    0: "the session was compacted",
    1: "the session was not compacted; the reason is on stderr",
    130: "interrupted (Ctrl-C); the session is unchanged",
    143: "terminated (SIGTERM); the session is unchanged",
  },
  examples: [
    ["pawl session compact", "compact the newest session"],
    ['pawl session compact --focus "the failing test and what was tried"', "name what the summary must cover"],
    ["pawl session compact -m openai/gpt-5-mini ses_7ZZ…", "use a cheaper model for the summary"],
  ],
  run: sessionCompact,
})
