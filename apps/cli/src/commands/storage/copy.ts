import type { Storage, MaintainedStorage } from "@pawl/core/storage"
import type { CopyReport, LeftSession } from "@pawl/transfer"
import { hidePasswords } from "@pawl/config/hide-passwords"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { plainLine } from "@pawl/plain-text"
import { bytes, grouped, plural } from "@pawl/terminal-text/quantity"
import { shownLocation } from "@pawl/runtime/storage/shown-location"
import { readDataLocations } from "@pawl/runtime/config/settings"
import { longWork } from "../../storage/long-work.ts"
import { requireExisting } from "@pawl/runtime/storage/require-existing"
import { openStorage } from "@pawl/runtime/storage/open-storage"
import { format, STORAGES } from "../../command-options.ts"

const storageCopyOptions = {
  from: { value: "<url>", summary: "storage to read (default: the configured one)" },
  to: { value: "<url>", summary: "storage to write" },
  overwrite: { summary: "also replace sessions that continued in the target; that work is lost" },
  ...format,
} as const

async function storageCopy({ options }: CommandInput<typeof storageCopyOptions>, host: Host): Promise<ExitCode> {
  const { from, to, format } = options
  if (to === undefined) throw new UsageError("missing option --to <url>", "See: pawl storage copy --help")
  const source = await readDataLocations(host, from === undefined ? undefined : { name: "--from", value: from })
  await requireExisting(source.storage)
  const target = await readDataLocations(host, { name: "--to", value: to })
  if (source.storage.url === target.storage.url) {
    throw new UsageError("--from and --to name the same storage.", "See: pawl storage copy --help")
  }
  const read = await openStorage(source.storage)
  try {
    const written = await openStorage(target.storage)
    try {
      return await copyAll(read, written, { host, format, overwrite: options.overwrite === true })
    } finally {
      await written.close()
    }
  } finally {
    await read.close()
  }
}

export interface CopyCall {
  readonly host: Host
  readonly format: "text" | "json" | undefined
  /** Also replaces sessions that continued in the target. */
  readonly overwrite?: boolean
  /** Message after an interruption. */
  readonly stopped?: string
}

/** Copies all sessions and prints a report. Fails if a readable record did not arrive. */
export async function copyAll(
  from: MaintainedStorage,
  to: Storage,
  { host, format, overwrite = false, ...more }: CopyCall,
): Promise<ExitCode> {
  const { copyStorage } = await import("@pawl/transfer")
  return longWork(host, {
    ...more,
    label: "copying",
    work: (work) => copyStorage(from, to, { ...work, overwrite }),
    tell(report) {
      if (format === "json") host.stdout.write(`${JSON.stringify(report)}\n`)
      host.stderr.write(`${host.secrets.mask(reportLines(report, to).join("\n"))}\n`)
      const isWhole = report.verified === report.total && report.left.length === 0 && report.damaged.length === 0
      return isWhole ? exitCodes.success : exitCodes.failed
    },
  })
}

const REASONS: Readonly<Record<LeftSession["reason"], string>> = {
  diverged: "left as it is in the target: it went on there; --overwrite makes it what the source says",
  busy: "left: it is being worked on in the target",
  changing: "left: it kept changing in the source; copy again",
}

function reportLines(
  { sessions, blobs, bytes: size, verified, total, left, damaged }: CopyReport,
  to: Storage,
): string[] {
  const outcomes = [
    sessions.added > 0 ? `${grouped(sessions.added)} added` : "",
    sessions.updated > 0 ? `${grouped(sessions.updated)} brought up to date` : "",
    sessions.unchanged > 0 ? `${grouped(sessions.unchanged)} there already` : "",
    blobs > 0 ? `${plural(blobs, "blob")}, ${bytes(size)}` : "",
  ].filter((outcome) => outcome !== "")
  return [
    ...damaged.map(({ message }) => `not copied: ${hidePasswords(plainLine(message))}`),
    ...left.map(({ id, reason }) => `${id} ${REASONS[reason]}`),
    `copied to ${shownLocation(to)}: ${outcomes.length > 0 ? outcomes.join(", ") : "nothing to do"}`,
    `${grouped(verified)} of ${plural(total, "session")} read back and found equal`,
  ]
}

export const command = defineCommand({
  usage: ["storage copy [options] --to <url>"],
  notes: [
    "Every session is read back and compared. After an interruption, the same command continues. Run it again later to copy " +
      "changes. Sessions that exist only in the target stay there.",
    STORAGES,
  ],
  words: { min: 0, max: 0 },
  options: storageCopyOptions,
  exitCodes: { 1: "failed, or not everything was copied" },
  examples: [
    ["pawl storage copy --to postgres://pawl@db/pawl", "copy to a server, then set PAWL_STORAGE"],
    ["pawl storage copy --from file:/mnt/old --to sqlite:new.db", "copy from one storage type to another"],
  ],
  run: storageCopy,
})
