import { limitImages } from "@pawl/core/storage"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { milliseconds } from "../../arguments/milliseconds.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { bytes, plural } from "@pawl/terminal-text/quantity"
import { shownLocation } from "@pawl/runtime/storage/shown-location"
import { longWork } from "../../storage/long-work.ts"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { formattedStorageOptions, STORAGES } from "../../command-options.ts"

const storageGcOptions = {
  "min-age": { value: "<time>", summary: "keep younger data, such as 90m, 12h or 7d (default: 1d)" },
  ...formattedStorageOptions,
} as const

async function storageGc({ options }: CommandInput<typeof storageGcOptions>, host: Host): Promise<ExitCode> {
  const age = options["min-age"]
  const minAge = age === undefined ? {} : { minAge: milliseconds("--min-age", age, "storage gc") }
  return withStorage(host, { url: options.storage }, (storage) => {
    return longWork(host, {
      label: "clearing up",
      async work(work) {
        const dropped = await limitImages(storage, work)
        return { freed: await storage.gc({ ...work, ...minAge }), dropped }
      },
      tell({ freed, dropped }) {
        if (options.format === "json") host.stdout.write(`${JSON.stringify({ ...freed, undo: dropped })}\n`)
        if (dropped.count > 0) {
          const contents = `${plural(dropped.count, "old content")}, ${bytes(dropped.bytes)}`
          host.stderr.write(`Dropped ${contents}, beyond 2 GB of a project: undo no longer restores them.\n`)
        }
        const removed = `Removed ${plural(freed.blobs, "blob")}, ${bytes(freed.bytes)},`
        host.stderr.write(`${freed.blobs === 0 ? "Nothing to remove" : removed} in ${shownLocation(storage)}.\n`)
        return exitCodes.success
      },
    })
  })
}

export const command = defineCommand({
  usage: ["storage gc [options]"],
  notes: ["Of the contents that undo keeps, those beyond 2 GB of a project are dropped, the oldest first.", STORAGES],
  words: { min: 0, max: 0 },
  options: storageGcOptions,
  examples: [["pawl storage gc --min-age 7d", "keep everything stored in the last week"]],
  run: storageGc,
})
