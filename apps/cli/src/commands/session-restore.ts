import type { CommandInput } from "../arguments/command.ts"
import { UsageError } from "../arguments/usage-error.ts"
import type { formattedStorageOptions } from "../command-options.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { clip } from "../render/width.ts"
import { plainLine } from "../render/plain.ts"
import { ago, plural } from "../render/quantity.ts"
import { createTheme, wantsColour } from "../render/theme.ts"
import { readPlaces } from "../settings/settings.ts"
import { withStorage } from "../storage/with-storage.ts"
import { createTrash, KEPT_DAYS, type Removed } from "../trash/trash.ts"

export async function sessionRestore(
  { options, words }: CommandInput<typeof formattedStorageOptions>,
  host: Host,
): Promise<ExitCode> {
  const [id] = words
  if (id === undefined) return list(host, options.format)
  return withStorage(host, { url: options.storage, mayCreate: true }, async (storage, { dataDirectory }) => {
    const trash = createTrash({ dataDirectory, now: Date.now })
    const removed = (await trash.list()).find((each) => each.id === id)
    if (!removed) {
      throw new UsageError(
        `There is no removed session ${id} in ${dataDirectory}.`,
        `Those of the last ${KEPT_DAYS} days: pawl session restore`,
      )
    }
    const { importSession } = await import("@pawl/transfer")
    await importSession(storage, await trash.read(removed.id))
    await trash.forget(removed)
    const below = removed.sessions > 1 ? ` and ${plural(removed.sessions - 1, "session")} below it` : ""
    host.stderr.write(`restored ${removed.id}  ${plainLine(removed.title)}${below}\n`)
    return exitCodes.success
  })
}

async function list(host: Host, format: "text" | "json" | undefined): Promise<ExitCode> {
  const { dataDirectory } = await readPlaces(host)
  const removed = await createTrash({ dataDirectory, now: Date.now }).list()
  const { stdout, stderr, environment } = host
  if (format === "json") {
    for (const each of removed) stdout.write(`${JSON.stringify(each)}\n`)
  } else if (removed.length === 0) {
    stderr.write(`No sessions were removed in the last ${KEPT_DAYS} days.\n`)
  } else {
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    const columns = stdout.isTerminal ? stdout.columns : Infinity
    const width = Math.max(...removed.map(({ removed: at }) => ago(at, Date.now()).length))
    for (const each of removed) stdout.write(`${row(each, width, columns, theme)}\n`)
  }
  return exitCodes.success
}

function row(
  { id, title, sessions, removed }: Removed,
  width: number,
  columns: number,
  theme: ReturnType<typeof createTheme>,
): string {
  const when = ago(removed, Date.now()).padEnd(width)
  const below = sessions > 1 ? ` (and ${sessions - 1} below it)` : ""
  const text = clip(plainLine(title) + below, columns - id.length - width - 4)
  return `${theme.accent(id)}  ${theme.faint(when)}  ${text}`.trimEnd()
}
