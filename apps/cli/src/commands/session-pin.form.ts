import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, rawOptions } from "../command-options.ts"

export const sessionPinOptions = {
  list: { short: "l", summary: "list pinned notes, oldest first" },
  remove: { value: "<pin>", summary: "remove this note" },
  dir: { value: "<directory>", summary: "directory of the newest session (default: this one)" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

export const sessionPinForm = {
  usage: ['session pin [options] [id] "<note>"', "session pin --list [id]", "session pin --remove <pin> [id]"],
  notes: [
    "A pinned note stays in the context unchanged. The agent reads it with your next message, and again after each compaction. " +
      "Default session: the newest one of this directory.",
    "A removed note stays in the context until the next compaction.",
  ],
  words: { min: 0, max: Infinity },
  options: sessionPinOptions,
  exitCodes: done,
  examples: [
    ['pawl session pin "Never touch the public API."', "pin a note in the newest session"],
    ['pawl session pin ses_7ZZ… "The staging server is down."', "pin a note in another session"],
    ["pawl session pin --list", "list notes with their ids for --remove"],
  ],
} as const satisfies CommandForm
