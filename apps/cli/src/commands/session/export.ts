import { resolve } from "node:path"
import type { Secrets } from "@pawl/secrets"
import type { MaskLevel, writeSession } from "@pawl/transfer"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import { type TextSink, writeDurably } from "@pawl/files/durable-file"
import type { Host } from "../../host.ts"
import { ownVersion } from "@pawl/runtime/own-version"
import { plainLine } from "@pawl/plain-text"
import { plural } from "@pawl/terminal-text/quantity"
import { sessionByID } from "@pawl/runtime/session/find-session"
import { longWork } from "../../storage/long-work.ts"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { MISSING_SESSION, storageOptions } from "../../command-options.ts"

const sessionExportOptions = {
  output: { short: "o", value: "<file>", completes: "files", summary: "output file (default: stdout)" },
  recording: { summary: "write a recording for pawl replay" },
  raw: { summary: "do not mask keys, tokens and other secrets" },
  sanitize: { summary: "also mask home directories and personal data" },
  "without-content": { summary: "also mask all texts that were said, read and written" },
  ...storageOptions,
} as const

async function sessionExport(
  { options, words }: CommandInput<typeof sessionExportOptions>,
  host: Host,
): Promise<ExitCode> {
  const { output, sanitize, raw, "without-content": withoutContent } = options
  if (raw && (sanitize || withoutContent)) {
    throw new UsageError(
      `--raw keeps secrets, and ${sanitize ? "--sanitize" : "--without-content"} masks them. Leave one of them out.`,
    )
  }
  if (output !== undefined && output.endsWith("/")) throw new UsageError(`${output} is a directory: name a file in it.`)
  return withStorage(host, { url: options.storage }, async (storage) => {
    const { id } = await sessionByID(storage, words[0] ?? "")
    const { writeSession } = await import("@pawl/transfer")
    const level = withoutContent ? "content" : sanitize ? "secrets" : "keys"
    const mask: Secrets["mask"] = (text, count) => host.secrets.mask(text, count)
    const how = raw ? {} : { sanitize: { level, mask } as const }
    return longWork(host, {
      // The document itself may go to the terminal.
      label: output === undefined ? undefined : "exporting",
      stopped: output === undefined ? "The document is incomplete." : "Nothing was written.",
      work({ signal }) {
        const write = (sink: TextSink) =>
          options.recording
            ? exportRecording(storage, id, sink, { ...how, signal }, host)
            : writeSession(storage, id, sink, { ...how, signal })
        return output === undefined ? write(throttled(host)) : writeDurably(resolve(host.directory, output), write)
      },
      tell({ sessions, messages, parts, blobs, removed, places = {} }) {
        const [session, message] = [plural(sessions, "session"), plural(messages, "message")]
        const counts = [session, message, plural(parts, "part"), plural(blobs, "blob")].join(", ")
        host.stderr.write(`exported ${counts}${output === undefined ? "" : ` to ${output}`}\n`)
        const lines = removed ? removedLines(removed, places, level) : []
        if (lines.length > 0) host.stderr.write(`${lines.join("\n")}\n`)
        return exitCodes.success
      },
    })
  })
}

async function exportRecording(
  storage: Parameters<typeof writeSession>[0],
  id: Parameters<typeof writeSession>[1],
  sink: TextSink,
  how: Parameters<typeof writeSession>[3] & object,
  host: Host,
) {
  const [{ exportSession }, { recordDocument }] = await Promise.all([
    import("@pawl/transfer"),
    import("@pawl/replay/from-document"),
  ])
  const document = await exportSession(storage, id, how)
  const lines: string[] = []
  const header = { pawl: ownVersion(host), sanitized: how.sanitize?.level }
  recordDocument(document, header, (line) => lines.push(line))
  for (const line of lines) await sink(`${line}\n`)
  return document.report
}

/** Returns a sink that writes to stdout no faster than it is read. */
function throttled({ stdout }: Host): TextSink {
  let written = 0
  return async (text) => {
    stdout.write(text)
    written += text.length
    if (written < 1_000_000) return
    written = 0
    await stdout.flushed()
  }
}

function removedLines(
  removed: Readonly<Record<string, number>>,
  places: Parameters<typeof placeLines>[0],
  level: MaskLevel,
): string[] {
  const { unchecked: _, ...masked } = removed
  if (level !== "keys") return [removedLine(removed), ...placeLines(places)]
  const found = counted(masked)
  return found === "" ? [] : [`masked: ${found}. With --raw they are kept.`, ...placeLines(places)]
}

function removedLine(removed: Readonly<Record<string, number>>): string {
  const { unchecked, ...masked } = removed
  const found = counted(masked)
  const files = unchecked ? `; not looked into: ${plural(unchecked, "binary content", "binary contents")}` : ""
  return `masked: ${found === "" ? "nothing was found" : found}${files}. Look it through before you share it.`
}

/** Number of masked places to print. The document lists all of them. */
const MAX_PLACES = 10

/** Renders the places in which something was masked. */
function placeLines(places: Readonly<Record<string, Readonly<Record<string, number>>>>): string[] {
  const lines = Object.entries(places).map(([place, kinds]) => `  ${plainLine(place)}: ${counted(kinds)}`)
  const more = lines.length - MAX_PLACES
  return more > 0
    ? [...lines.slice(0, MAX_PLACES), `  and in ${plural(more, "other place")}: see "report" in the document`]
    : lines
}

function counted(kinds: Readonly<Record<string, number>>): string {
  return Object.entries(kinds)
    .map(([kind, count]) => `${count} × ${kind}`)
    .join(", ")
}

export const command = defineCommand({
  usage: ["session export [options] <id>"],
  notes: [
    "The document contains everything needed to continue on another machine: sessions, messages and large outputs. " +
      "Read it with pawl session import. Keys, tokens and other secrets are masked, and the document says so.",
  ],
  words: { min: 1, max: 1, completes: "sessions", missing: MISSING_SESSION },
  options: sessionExportOptions,
  isForPrograms: true,
  examples: [
    ["pawl session export ses_7ZZ… -o session.json", "continue on another machine"],
    ["pawl session export --raw ses_7ZZ… -o session.json", "include all secrets"],
    ["pawl session export --recording ses_7ZZ… -o bug.jsonl", "then replay it: pawl replay bug.jsonl"],
    ["pawl session export --sanitize ses_7ZZ… -o report.json", "for a bug report; review it before you send it"],
  ],
  run: sessionExport,
})
