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
      work: (work) => storage.gc({ ...work, ...minAge }),
      tell(freed) {
        if (options.format === "json") host.stdout.write(`${JSON.stringify(freed)}\n`)
        const removed = `Removed ${plural(freed.blobs, "blob")}, ${bytes(freed.bytes)},`
        host.stderr.write(`${freed.blobs === 0 ? "Nothing to remove" : removed} in ${shownLocation(storage)}.\n`)
        return exitCodes.success
      },
    })
  })
}

export const command = defineCommand({
  usage: ["storage gc [options]"],
  notes: [STORAGES],
  words: { min: 0, max: 0 },
  options: storageGcOptions,
  examples: [["pawl storage gc --min-age 7d", "keep everything stored in the last week"]],
  run: storageGc,
})
