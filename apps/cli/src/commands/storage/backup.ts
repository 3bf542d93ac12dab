import { rm, stat } from "node:fs/promises"
import { resolve } from "node:path"
import type { LongWork, MaintainedStorage } from "@pawl/core/storage"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { bytes } from "@pawl/terminal-text/quantity"
import { plainLine } from "@pawl/plain-text"
import { longWork } from "../../storage/long-work.ts"
import { openStorage } from "@pawl/runtime/storage/open-storage"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { copyAll } from "./copy.ts"
import { statusOf } from "@pawl/files/status-of"
import { formattedStorageOptions, STORAGES } from "../../command-options.ts"

type Input = CommandInput<typeof formattedStorageOptions>

/** Writes a backup, which is a complete storage: it can be opened, searched and copied like any other. */
async function storageBackup({ options, words }: Input, host: Host): Promise<ExitCode> {
  const file = resolve(host.directory, words[0] ?? "")
  if (await statusOf(file)) {
    throw new UsageError(
      `${file} is there already.`,
      `Use a new file, or update that one: pawl storage copy --to sqlite:${file}`,
    )
  }
  return withStorage(host, { url: options.storage }, async (storage) => {
    if (hasBackup(storage)) return byItself(storage, file, options, host)
    return byCopying(storage, file, options, host)
  })
}

const NO_BACKUP = "No backup was written."

/** Copies all sessions. Removes an unfinished file, so that it is not mistaken for a backup. */
async function byCopying(
  storage: MaintainedStorage,
  file: string,
  { format }: Input["options"],
  host: Host,
): Promise<ExitCode> {
  const backup = await openStorage({ url: `sqlite:${file}`, source: "the backup", packageDirectories: [] })
  let isFinished = false
  try {
    const exitCode = await copyAll(storage, backup, { host, format, stopped: NO_BACKUP })
    isFinished = exitCode === exitCodes.success || exitCode === exitCodes.failed
    return exitCode
  } finally {
    await backup.close()
    if (!isFinished) await removeDatabase(file)
  }
}

async function removeDatabase(file: string): Promise<void> {
  await Promise.all(["", "-wal", "-shm", "-lock"].map((suffix) => rm(`${file}${suffix}`, { force: true })))
}

/** A storage with a faster way than copying its sessions one by one. */
interface BackedUp extends MaintainedStorage {
  backup(to: string, work?: LongWork): Promise<void>
}

function hasBackup(storage: MaintainedStorage): storage is BackedUp {
  return "backup" in storage && typeof storage.backup === "function"
}

async function byItself(storage: BackedUp, file: string, { format }: Input["options"], host: Host): Promise<ExitCode> {
  return longWork(host, {
    label: "backing up",
    stopped: NO_BACKUP,
    async work(work) {
      await storage.backup(file, work)
      return (await stat(file)).size
    },
    tell(size) {
      if (format === "json") host.stdout.write(`${JSON.stringify({ file, bytes: size })}\n`)
      host.stderr.write(`backed up to ${plainLine(file)}, ${bytes(size)}\n`)
      return exitCodes.success
    },
  })
}

export const command = defineCommand({
  usage: ["storage backup [options] <file>"],
  notes: ["The file is a complete storage: sqlite:<file> opens it. Sessions can run meanwhile. " + STORAGES],
  words: { min: 1, max: 1, completes: "files", missing: "missing file: pawl storage backup <file>" },
  options: formattedStorageOptions,
  exitCodes: { 1: "failed, or not everything could be read" },
  examples: [
    ["pawl storage backup ~/pawl-monday.db", "write a backup and verify it"],
    ["pawl session list --storage sqlite:~/pawl-monday.db", "list the sessions in the backup"],
  ],
  run: storageBackup,
})
