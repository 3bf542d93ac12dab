import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, rawOptions } from "../command-options.ts"

export const sessionListOptions = {
  number: { short: "n", value: "<count>", summary: "list at most so many (20 unless told)" },
  all: { short: "a", summary: "of all directories" },
  dir: { value: "<directory>", summary: "of that directory instead of this one" },
  title: { value: "<text>", summary: "with this in their title" },
  search: { value: "<text>", summary: "the same as --title" },
  archived: { summary: "the archived ones instead of the others" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

export const sessionListForm = {
  usage: ["session list [options]"],
  words: { min: 0, max: 0 },
  options: sessionListOptions,
  exitCodes: done,
  examples: [
    ["pawl session list -n 5", "the newest five"],
    ["pawl session list --all --format json", "of all directories, for programs"],
  ],
} as const satisfies CommandForm
