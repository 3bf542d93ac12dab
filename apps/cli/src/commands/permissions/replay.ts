import type { Session, SessionQuery, Storage } from "@pawl/core/storage"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { milliseconds } from "../../arguments/milliseconds.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { createScreen } from "../../output/screen.ts"
import { replay, type ReplayCount, type ReplayedChange } from "@pawl/reports/permissions/replay-calls"
import { readRulesFile } from "../../permissions/rules-file.ts"
import { createTally, type Tally } from "@pawl/reports/permissions/tally"
import { grouped } from "@pawl/terminal-text/quantity"
import { changeLines, tallyLines } from "../../render/replay-lines.ts"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { listenForStop, stopCode, type StopReason } from "../../run/stop.ts"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { findSession } from "@pawl/runtime/session/find-session"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { format, formattedStorageOptions } from "../../command-options.ts"
import { shownBy } from "../../session/masked.ts"

const permissionsReplayOptions = {
  rules: { value: "<file>", completes: "files", summary: "pawl.jsonc with the key permission, or only its value" },
  session: {
    short: "s",
    value: "<id>",
    completes: "sessions",
    summary: "test calls of this session and its child sessions",
  },
  dir: { value: "<directory>", completes: "directories", summary: "test calls of the sessions of this directory" },
  since: { value: "<time>", summary: "test calls of a period, such as 90m, 12h or 7d" },
  ...formattedStorageOptions,
  ...format,
} as const

type Input = CommandInput<typeof permissionsReplayOptions>

/** Lists the stored calls that other rules would decide differently. */
async function permissionsReplay({ options }: Input, host: Host): Promise<ExitCode> {
  if (options.rules === undefined) throw new UsageError("missing option --rules <file>", HELP)
  const rules = await readRulesFile(options.rules, host)
  const age = options.since === undefined ? undefined : milliseconds("--since", options.since, "permissions replay")
  const since = age === undefined ? 0 : Date.now() - age
  const { builtinTools } = await import("@pawl/tools")
  const agents = [...rules.agents.values()].map(({ name }) => ({ name }))
  const tools = builtinTools({ agents, asks: true })
  return withStorage(host, { url: options.storage }, async (storage) => {
    const stop = listenForStop(host, () => performance.now())
    const sessions = await chosenSessions(options, storage, host)
    const count: ReplayCount = { sessions: 0, calls: 0, unjudged: 0 }
    const tally = createTally()
    const output = createReplayOutput(options.format, host)
    const timer = setInterval(() => output.progress(count), 100)
    timer.unref()
    try {
      const changes = replay({ storage, sessions, rules, tools, since, signal: stop.signal }, count)
      for await (const change of changes) {
        tally.add(change)
        output.change(change)
      }
      output.end(count, tally)
      return exitCodes.success
    } catch (error) {
      if (!stop.signal.aborted) throw error
      output.end(count, tally)
      return stopCode(stop.signal.reason as StopReason)
    } finally {
      clearInterval(timer)
      stop.dispose()
    }
  })
}

const HELP = "See: pawl permissions replay --help"

async function chosenSessions({ session: id, dir }: Input["options"], storage: Storage, host: Host) {
  const query: SessionQuery = dir === undefined ? {} : { directory: await workDirectory(host, dir) }
  if (id === undefined) return storage.listSessions(query)
  const tree: Session[] = [await findSession(storage, { type: "id", id }, host.directory)]
  for (const session of tree) for await (const child of storage.listSessions({ parentID: session.id })) tree.push(child)
  return tree
}

/** Output settings of a replay. */
interface ReplayOutput {
  change(change: ReplayedChange): void
  progress(count: ReplayCount): void
  end(count: ReplayCount, tally: Tally): void
}

function createReplayOutput(
  format: Input["options"]["format"],
  { stdout, stderr, environment, secrets }: Host,
): ReplayOutput {
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const screen = createScreen({ stdout, stderr, theme, now: () => performance.now() })
  const since = performance.now()
  const columns = stdout.isTerminal ? stdout.columns : 200
  const print = (lines: readonly string[]) => {
    screen.status(undefined)
    stdout.write(`${secrets.mask(lines.join("\n"))}\n`)
  }
  const isJSON = format === "json"
  const show = shownBy({ secrets }, false)
  return {
    progress: ({ calls }) => screen.status({ label: `judging calls: ${grouped(calls)}`, since }),
    change(change) {
      if (isJSON) stdout.write(`${JSON.stringify(show({ type: "change", ...changeFacts(change) }))}\n`)
      else print(changeLines(change, { columns, theme }))
    },
    end(count, tally) {
      screen.close()
      if (isJSON)
        stdout.write(
          `${JSON.stringify(show({ type: "summary", ...count, changed: tally.changed, rules: tally.rows() }))}\n`,
        )
      else print(tallyLines(count, tally, { columns, theme }))
    },
  }
}

function changeFacts({ session, message, call, before, decision }: ReplayedChange): object {
  const { permission, pattern, action, rule, line } = decision
  return {
    ...{ sessionID: session.id, messageID: message.info.id, callID: call.callID, tool: call.tool },
    ...{ agent: message.info.agent, time: message.info.time.created },
    ...{ before, after: action, permission, pattern, rule, line },
  }
}

export const command = defineCommand({
  usage: ["permissions replay [options] --rules <file>"],
  notes: [
    "Checks the calls of stored sessions against other rules, newest first, and lists calls with a different decision. No tool " +
      "runs, and nothing is stored. Tools that are not built in are checked by name only.",
  ],
  words: { min: 0, max: 0 },
  options: permissionsReplayOptions,
  exitCodes: { 0: "success, even if decisions differ" },
  examples: [["pawl permissions replay --rules strict.jsonc --since 7d", "test rules before you use them"]],
  run: permissionsReplay,
})
