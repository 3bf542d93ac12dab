import { countImages, type ImageCount, type StorageStats } from "@pawl/core/storage"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { bytes, grouped } from "@pawl/terminal-text/quantity"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { shownLocation } from "@pawl/runtime/storage/shown-location"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { formattedStorageOptions, STORAGES } from "../../command-options.ts"
import { longWork } from "../../storage/long-work.ts"

const NAMES = { session: "sessions", message: "messages", part: "parts", blob: "blobs" } as const

async function storageStats({ options }: CommandInput<typeof formattedStorageOptions>, host: Host): Promise<ExitCode> {
  return withStorage(host, { url: options.storage }, (storage) => {
    const location = shownLocation(storage)
    return longWork(host, {
      label: "counting",
      stopped: "",
      async work(work) {
        const stats = await storage.stats()
        const isEmpty = stats.records.blob.count === 0
        return { ...stats, images: isEmpty ? { count: 0, bytes: 0 } : await countImages(storage, work) }
      },
      tell({ records, images, totalBytes }) {
        if (options.format === "json") {
          host.stdout.write(`${JSON.stringify({ location, records, undo: images, totalBytes })}\n`)
        } else writeTable(host, location, { records, images, totalBytes })
        return exitCodes.success
      },
    })
  })
}

interface Counted extends StorageStats {
  readonly images: ImageCount
}

function writeTable({ stdout, environment }: Host, location: string, { records, images, totalBytes }: Counted): void {
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const rows = (["session", "message", "part", "blob"] as const).map((kind) => {
    return [NAMES[kind], grouped(records[kind].count), bytes(records[kind].bytes)] as const
  })
  const all = [
    ...rows,
    ...(images.count > 0 ? [["  for undo", grouped(images.count), bytes(images.bytes)] as const] : []),
    ["in all", "", bytes(totalBytes)] as const,
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  stdout.write(`${theme.faint(location)}\n`)
  for (const [name, count, size] of all) {
    const line = `${name.padEnd(widths[0] ?? 0)}  ${count.padStart(widths[1] ?? 0)}  ${size.padStart(widths[2] ?? 0)}`
    stdout.write(`${name === "in all" ? theme.strong(line) : line}\n`)
  }
}

export const command = defineCommand({
  usage: ["storage stats [options]"],
  notes: [STORAGES],
  words: { min: 0, max: 0 },
  options: formattedStorageOptions,
  examples: [["pawl storage stats", "count sessions, messages, parts, blobs, and the contents that undo keeps"]],
  run: storageStats,
})
