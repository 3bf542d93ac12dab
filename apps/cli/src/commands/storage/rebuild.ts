import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { shownLocation } from "@pawl/runtime/storage/shown-location"
import { longWork } from "../../storage/long-work.ts"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { storageOptions, STORAGES } from "../../command-options.ts"

async function storageRebuild({ options }: CommandInput<typeof storageOptions>, host: Host): Promise<ExitCode> {
  return withStorage(host, { url: options.storage }, (storage) => {
    return longWork(host, {
      label: "rebuilding",
      work: (work) => storage.rebuild(work),
      tell() {
        host.stderr.write(`Rebuilt derived data in ${shownLocation(storage)}.\n`)
        return exitCodes.success
      },
    })
  })
}

export const command = defineCommand({
  usage: ["storage rebuild [options]"],
  notes: ["Damaged records are moved aside, never deleted. Sessions can run meanwhile. " + STORAGES],
  words: { min: 0, max: 0 },
  options: storageOptions,
  examples: [["pawl storage rebuild", "fix problems that pawl storage verify reported"]],
  run: storageRebuild,
})
