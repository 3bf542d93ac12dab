import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { bytes, grouped } from "@pawl/terminal-text/quantity"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { shownLocation } from "@pawl/runtime/storage/shown-location"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { formattedStorageOptions, STORAGES } from "../../command-options.ts"

const NAMES = { session: "sessions", message: "messages", part: "parts", blob: "blobs" } as const

async function storageStats({ options }: CommandInput<typeof formattedStorageOptions>, host: Host): Promise<ExitCode> {
  return withStorage(host, { url: options.storage }, async (storage) => {
    const { records, totalBytes } = await storage.stats()
    const location = shownLocation(storage)
    const { stdout, environment } = host
    if (options.format === "json") {
      stdout.write(`${JSON.stringify({ location, records, totalBytes })}\n`)
      return exitCodes.success
    }
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    const rows = (["session", "message", "part", "blob"] as const).map((kind) => {
      return [NAMES[kind], grouped(records[kind].count), bytes(records[kind].bytes)] as const
    })
    const all = [...rows, ["in all", "", bytes(totalBytes)] as const]
    const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
    stdout.write(`${theme.faint(location)}\n`)
    for (const [name, count, size] of all) {
      const line = `${name.padEnd(widths[0] ?? 0)}  ${count.padStart(widths[1] ?? 0)}  ${size.padStart(widths[2] ?? 0)}`
      stdout.write(`${name === "in all" ? theme.strong(line) : line}\n`)
    }
    return exitCodes.success
  })
}

export const command = defineCommand({
  usage: ["storage stats [options]"],
  notes: [STORAGES],
  words: { min: 0, max: 0 },
  options: formattedStorageOptions,
  examples: [["pawl storage stats", "count sessions, messages, parts and blobs"]],
  run: storageStats,
})
