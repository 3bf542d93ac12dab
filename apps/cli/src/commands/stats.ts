import { type CommandInput, defineCommand } from "../arguments/command.ts"
import { milliseconds } from "../arguments/milliseconds.ts"
import { UsageError } from "../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { blocksFor } from "@pawl/terminal-text/block-letters"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { usageReport } from "@pawl/terminal-text/usage-report"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { shownLocation } from "@pawl/runtime/storage/shown-location"
import { localDay, localHour, startOfDays } from "@pawl/reports/usage/days"
import { readUsage } from "@pawl/reports/usage/read-usage"
import {
  type Aspect,
  ASPECTS,
  createUsageTable,
  type Usage,
  type UsageNames,
  type UsageTable,
} from "@pawl/reports/usage/usage"
import { longWork } from "../storage/long-work.ts"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { formattedStorageOptions } from "../command-options.ts"

const statsOptions = {
  by: { value: "<what>", choices: ASPECTS, summary: "show only this table" },
  days: { value: "<number>", summary: "count only this many days, including today" },
  since: { value: "<time>", summary: "count only a period, such as 90m, 12h or 7d" },
  model: { short: "m", value: "<provider/model>", completes: "models", summary: "count only this model" },
  agent: { value: "<name>", summary: "count only this agent" },
  dir: { value: "<directory>", completes: "directories", summary: "count only the sessions of this directory" },
  top: { value: "<number>", summary: "rows of each table, highest cost first; 0 = all (default: 20)" },
  ...formattedStorageOptions,
} as const

type Input = CommandInput<typeof statsOptions>
type Options = Input["options"]

/** Tables that are too long for the overview. */
const ONLY_WHEN_ASKED: ReadonlySet<Aspect> = new Set(["hour", "session"])
const HELP = "See: pawl stats --help"

/** Prints the usage by day, model, agent, tool, project and session. */
async function stats({ options }: Input, host: Host): Promise<ExitCode> {
  const now = Date.now()
  const since = sinceOf(options, now)
  const top = wholeNumber("--top", options.top ?? "20")
  const directory = options.dir === undefined ? undefined : await workDirectory(host, options.dir)
  return withStorage(host, { url: options.storage }, async (storage) =>
    longWork(host, {
      label: "reading sessions",
      stopped: "Nothing was changed.",
      work: async (work) => {
        const table = createUsageTable(namesOf(options))
        await readUsage(storage, { directory, since }, table, work)
        return table
      },
      tell: (table) => tell(table, options, { host, location: shownLocation(storage), top, now }),
    }),
  )
}

function sinceOf({ since, days }: Options, now: number): number {
  if (since !== undefined && days !== undefined)
    throw new UsageError("--days and --since cannot be used together.", HELP)
  if (days !== undefined) return startOfDays(now, wholeNumber("--days", days, 1))
  return since === undefined ? 0 : now - milliseconds("--since", since, "stats")
}

function namesOf({ model, agent }: Options): UsageNames {
  return {
    day: localDay,
    hour: localHour,
    isMeant: (spent) =>
      (model === undefined || spent.model === model) && (agent === undefined || spent.agent === agent),
  }
}

function wholeNumber(option: string, text: string, least = 0): number {
  if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text)
  throw new UsageError(`invalid value "${text}" for ${option}: expected a whole number, ${least} or more`, HELP)
}

interface Telling {
  readonly host: Host
  readonly location: string
  /** Number of rows; 0 for all. */
  readonly top: number
  readonly now: number
}

function tell(table: UsageTable, options: Options, { host, location, top, now }: Telling): ExitCode {
  const { stdout, stderr, environment, secrets } = host
  const aspects = options.by === undefined ? ASPECTS.filter((each) => !ONLY_WHEN_ASKED.has(each)) : [options.by]
  if (options.format === "json") {
    for (const aspect of aspects)
      for (const row of table.rows(aspect)) stdout.write(`${secrets.mask(jsonRow(aspect, row))}\n`)
    return exitCodes.success
  }
  if (table.total().requests + table.total().steps === 0) {
    stderr.write(`No usage yet in ${location}.\n`)
    return exitCodes.success
  }
  const layout = {
    columns: stdout.isTerminal ? stdout.columns : 120,
    theme: createTheme(wantsColour(environment, stdout.isTerminal)),
    blocks: blocksFor(environment),
  }
  const days = options.days === undefined ? undefined : Number(options.days)
  const report = usageReport(table, { aspects, top, days, today: localDay(now) }, layout)
  stdout.write(`${secrets.mask(report.join("\n"))}\n`)
  return exitCodes.success
}

function jsonRow(by: Aspect, { name, ...figures }: Usage): string {
  return JSON.stringify({ by, name, ...figures })
}

export const command = defineCommand({
  usage: ["stats [options]"],
  notes: [
    "Shows steps, tool calls, input and output tokens, cached input tokens, and cost by known prices. Subagents, summaries, titles " +
      "and failed attempts are included. Every table has the same total: the cost of a step is divided among the tools it called, " +
      "and messages that a fork copied count once, in the original session.",
  ],
  words: { min: 0, max: 0 },
  options: statsOptions,
  exitCodes: { 130: "interrupted (Ctrl-C)" },
  examples: [
    ["pawl stats --days 7", "show the last week"],
    ["pawl stats --by model --dir .", "show the models of this project"],
    ["pawl stats --by session --top 5", "show the five sessions with the highest cost"],
    ["pawl stats --format json", "print one JSON object per row"],
  ],
  run: stats,
})
