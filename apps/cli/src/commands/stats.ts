import type { Session, Storage } from "@pawl/core"
import type { CommandInput } from "../arguments/command.ts"
import { milliseconds } from "../arguments/milliseconds.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { plural, dollars } from "../render/quantity.ts"
import { createTheme, wantsColour } from "../render/theme.ts"
import { usageLines } from "../render/usage-lines.ts"
import { workDirectory } from "../run/work-directory.ts"
import { shownLocation } from "../session/print-sessions.ts"
import { type Aspect, createUsageTable, type Usage, type UsageTable } from "../stats/usage.ts"
import { longWork } from "../storage/long-work.ts"
import { withStorage } from "../storage/with-storage.ts"
import type { statsOptions } from "./stats.form.ts"

type Input = CommandInput<typeof statsOptions>

const ASPECTS: readonly Aspect[] = ["day", "model", "agent", "tool", "project"]

/** Prints what was used, by day, model, agent, tool and project. */
export async function stats({ options }: Input, host: Host): Promise<ExitCode> {
  const age = options.since === undefined ? undefined : milliseconds("--since", options.since, "stats")
  const since = age === undefined ? 0 : Date.now() - age
  const directory = options.dir === undefined ? undefined : await workDirectory(host, options.dir)
  return withStorage(host, { url: options.storage }, async (storage) => {
    const query = directory === undefined ? {} : { directory }
    return longWork(host, {
      label: "reading sessions",
      stopped: "Nothing was changed.",
      work: async ({ signal, onProgress }) => {
        const table = createUsageTable(localDay)
        let sessions = 0
        for await (const session of storage.listSessions(query)) {
          signal.throwIfAborted()
          if (session.time.updated >= since) await addSession(table, storage, { session, since, signal })
          onProgress(++sessions, 0)
        }
        return table
      },
      tell: (table) => tell(table, options, { host, place: shownLocation(storage) }),
    })
  })
}

interface OneSession {
  readonly session: Session
  readonly since: number
  readonly signal: AbortSignal
}

/** Newest first, as far as the time goes back. */
async function addSession(table: UsageTable, storage: Storage, { session, since, signal }: OneSession): Promise<void> {
  for await (const message of storage.readMessages(session.id)) {
    signal.throwIfAborted()
    if (message.info.time.created < since) return
    table.add(message, session)
  }
}

function tell(
  table: UsageTable,
  { by, format }: Input["options"],
  { host, place }: { host: Host; place: string },
): ExitCode {
  const { stdout, stderr, environment, secrets } = host
  const aspects = by === undefined ? ASPECTS : [by]
  if (format === "json") {
    for (const aspect of aspects)
      for (const row of table.rows(aspect)) stdout.write(`${secrets.mask(jsonRow(aspect, row))}\n`)
    return exitCodes.success
  }
  const total = table.total()
  if (total.steps === 0) {
    stderr.write(`Nothing was used yet in ${place}.\n`)
    return exitCodes.success
  }
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const paper = { columns: stdout.isTerminal ? stdout.columns : 120, theme }
  const tables = aspects.map((aspect) => usageLines(aspect, table.rows(aspect), paper).join("\n"))
  const whole = `${plural(total.steps, "step")}, ${plural(total.calls, "tool call")}, ${dollars(total.cost)}`
  stdout.write(`${secrets.mask([...tables, theme.strong(whole)].join("\n\n"))}\n`)
  return exitCodes.success
}

function jsonRow(by: Aspect, { name, ...figures }: Usage): string {
  return JSON.stringify({ by, name, ...figures })
}

/** As people here count days: `2026-11-22`. */
function localDay(time: number): string {
  const date = new Date(time)
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((number) => String(number).padStart(2, "0"))
  return `${date.getFullYear()}-${month}-${day}`
}
