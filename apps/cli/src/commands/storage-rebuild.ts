import type { CommandInput } from "../arguments/command.ts"
import type { storageOptions } from "../command-options.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { shownLocation } from "../session/print-sessions.ts"
import { longWork } from "../storage/long-work.ts"
import { withStorage } from "@pawl/runtime/storage/with-storage"

export async function storageRebuild({ options }: CommandInput<typeof storageOptions>, host: Host): Promise<ExitCode> {
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
