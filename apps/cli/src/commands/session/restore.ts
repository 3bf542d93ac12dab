import type { Storage } from "@pawl/core/storage"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { clip, columnsOf } from "@pawl/terminal-text/width"
import { plainLine } from "@pawl/plain-text"
import { ago, plural } from "@pawl/terminal-text/quantity"
import { quoted } from "@pawl/terminal-text/quoted"
import { createTheme, type Theme, wantsColour } from "@pawl/terminal-text/theme"
import { idBeginning, severalSessions } from "@pawl/runtime/session/find-session"
import { shownTitle } from "../../session/masked.ts"
import { shownLocation } from "@pawl/runtime/storage/shown-location"
import { readDataLocations } from "@pawl/runtime/config/settings"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { createTrash, KEPT_DAYS, type Removed } from "@pawl/runtime/trash/trash"
import { formattedStorageOptions } from "../../command-options.ts"

async function sessionRestore(
  { options, words }: CommandInput<typeof formattedStorageOptions>,
  host: Host,
): Promise<ExitCode> {
  const [id] = words
  if (id === undefined) return list(host, options.format)
  return withStorage(host, { url: options.storage, mayCreate: true }, async (storage, { dataDirectory }) => {
    const trash = createTrash({ dataDirectory, now: Date.now })
    const removed = choose(await trash.list(), { id, dataDirectory, location: shownLocation(storage) })
    const isNew = await bringBack(storage, removed, await trash.read(removed))
    await trash.forget(removed)
    const below = removed.sessions > 1 ? ` and ${plural(removed.sessions - 1, "session")} below it` : ""
    const name = `${removed.id}  ${shownTitle(host, removed.title)}${below}`
    host.stderr.write(isNew ? `restored ${name}\n` : `nothing to restore: it already exists unchanged: ${name}\n`)
    if (options.format === "json") {
      host.stdout.write(`${JSON.stringify({ ...removed, title: host.secrets.mask(removed.title) })}\n`)
    }
    return exitCodes.success
  })
}

/** Returns the newest removed session with this id from this storage. */
function choose(
  removed: readonly Removed[],
  { id, dataDirectory, location }: { readonly id: string; readonly dataDirectory: string; readonly location: string },
): Removed {
  const same = ofID(removed, id)
  const found = same.find(({ storage }) => storage === location || storage === "")
  if (found) return found
  const [elsewhere] = same
  if (elsewhere) {
    throw new UsageError(
      `Session ${elsewhere.id} was removed from ${elsewhere.storage}, and this is ${location}.`,
      `Restore it there: pawl session restore --storage ${quoted(elsewhere.storage)} ${elsewhere.id}\n` +
        `Import it here: pawl session import ${quoted(elsewhere.file)}`,
    )
  }
  throw new UsageError(
    `There is no removed session ${id} in ${dataDirectory}.`,
    `List the last ${KEPT_DAYS} days: pawl session restore`,
  )
}

/** Returns the removed sessions with this id, or with the only id that begins with it. */
function ofID(removed: readonly Removed[], id: string): readonly Removed[] {
  const same = removed.filter((each) => each.id === id)
  const beginning = idBeginning(id)
  if (same.length > 0 || beginning === undefined) return same
  const found = removed.filter((each) => each.id.startsWith(beginning))
  const ids = new Map(found.map((each) => [each.id, each]))
  if (ids.size > 1) throw severalSessions(id, Array.from(ids.values()))
  return found
}

/** Restores a session. False if it already exists unchanged. */
async function bringBack(storage: Storage, { id, file }: Removed, document: unknown): Promise<boolean> {
  const { importSession, ImportConflictError } = await import("@pawl/transfer")
  try {
    const { sessions } = await importSession(storage, document, { origin: "here" })
    return sessions.some(({ outcome }) => outcome !== "unchanged")
  } catch (error) {
    if (!(error instanceof ImportConflictError)) throw error
    throw new UsageError(
      `Session ${error.sessionID} already exists and differs from the removed one. Nothing was restored.`,
      `Import a copy of ${id}: pawl session import --new-ids ${quoted(file)}`,
    )
  }
}

async function list(host: Host, format: "text" | "json" | undefined): Promise<ExitCode> {
  const { dataDirectory } = await readDataLocations(host)
  const stored = await createTrash({ dataDirectory, now: Date.now }).list()
  const removed = stored.map((each) => ({ ...each, title: host.secrets.mask(each.title) }))
  const { stdout, stderr, environment } = host
  if (format === "json") {
    for (const each of removed) stdout.write(`${JSON.stringify(each)}\n`)
  } else if (removed.length === 0) {
    stderr.write(`No sessions were removed in the last ${KEPT_DAYS} days.\n`)
  } else {
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    const columns = stdout.isTerminal ? stdout.columns : Infinity
    const width = Math.max(...removed.map(({ removed: at }) => ago(at, Date.now()).length))
    const isOneStorage = new Set(removed.map(({ storage }) => storage)).size === 1
    for (const each of removed) {
      const location = isOneStorage || each.storage === "" ? "" : `  ${each.storage}`
      stdout.write(`${row(each, location, { width, columns, theme })}\n`)
    }
  }
  return exitCodes.success
}

function row(
  { id, title, sessions, removed }: Removed,
  location: string,
  { width, columns, theme }: { readonly width: number; readonly columns: number; readonly theme: Theme },
): string {
  const when = ago(removed, Date.now()).padEnd(width)
  const below = sessions > 1 ? ` (and ${sessions - 1} below it)` : ""
  const room = columns - id.length - width - 4
  const text = clip((plainLine(title) || "(no title)") + below, room)
  return `${theme.accent(id)}  ${theme.faint(when)}  ${text}${theme.faint(clip(location, room - columnsOf(text)))}`
}

export const command = defineCommand({
  usage: ["session restore [options]", "session restore [options] <id>"],
  words: { min: 0, max: 1 },
  options: formattedStorageOptions,
  examples: [
    ["pawl session restore", "list sessions removed in the last 7 days"],
    ["pawl session restore ses_7ZZ…", "restore a session and its child sessions"],
  ],
  run: sessionRestore,
})
