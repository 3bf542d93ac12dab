import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, rawOptions } from "../command-options.ts"

export const sessionListOptions = {
  number: { short: "n", value: "<count>", summary: "maximum number of sessions (default: 20)" },
  all: { short: "a", summary: "list the sessions of all directories" },
  dir: { value: "<directory>", summary: "directory to use (default: this one)" },
  title: { value: "<text>", summary: "list sessions whose title contains this text" },
  search: { value: "<text>", summary: "same as --title" },
  archived: { summary: "list archived sessions instead" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

export const sessionListForm = {
  usage: ["session list [options]"],
  words: { min: 0, max: 0 },
  options: sessionListOptions,
  exitCodes: done,
  examples: [
    ["pawl session list -n 5", "list the newest five sessions"],
    ["pawl session list --all --format json", "list all sessions as JSON"],
  ],
} as const satisfies CommandForm
