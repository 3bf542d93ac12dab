import type { CommandForm } from "../arguments/command.ts"
import { done, format, STORAGES } from "../command-options.ts"

export const storageCopyOptions = {
  from: { value: "<url>", summary: "storage to read (default: the configured one)" },
  to: { value: "<url>", summary: "storage to write" },
  overwrite: { summary: "also replace sessions that continued in the target; that work is lost" },
  ...format,
} as const

export const storageCopyForm = {
  usage: ["storage copy [options] --to <url>"],
  notes: [
    "Every session is read back and compared. After an interruption, the same command continues. Run it again later to copy " +
      "changes. Sessions that exist only in the target stay there.",
    STORAGES,
  ],
  words: { min: 0, max: 0 },
  options: storageCopyOptions,
  exitCodes: { ...done, 1: "failed, or not everything was copied" },
  examples: [
    ["pawl storage copy --to postgres://pawl@db/pawl", "copy to a server, then set PAWL_STORAGE"],
    ["pawl storage copy --from file:/mnt/old --to sqlite:new.db", "copy from one storage type to another"],
  ],
} as const satisfies CommandForm
