import type { CommandForm } from "../arguments/command.ts"
import { done, format, STORAGES } from "../command-options.ts"

export const storageCopyOptions = {
  from: { value: "<url>", summary: "the storage to read (your usual one unless told)" },
  to: { value: "<url>", summary: "the storage to write" },
  overwrite: { summary: "also sessions that went on in the target: what was done there is lost" },
  ...format,
} as const

export const storageCopyForm = {
  usage: ["storage copy [options] --to <url>"],
  notes: [
    "Every session is read back and compared. Interrupted, the same command goes on; later, it brings over what has changed. " +
      "What only the target has stays there.",
    STORAGES,
  ],
  words: { min: 0, max: 0 },
  options: storageCopyOptions,
  exitCodes: { ...done, 1: "it failed, or not everything was copied" },
  examples: [
    ["pawl storage copy --to postgres://pawl@db/pawl", "move to a server; then set PAWL_STORAGE"],
    ["pawl storage copy --from file:/mnt/old --to sqlite:new.db", "any storage to any other"],
  ],
} as const satisfies CommandForm
