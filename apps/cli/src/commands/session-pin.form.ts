import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions } from "../command-options.ts"

export const sessionPinOptions = {
  list: { short: "l", summary: "list the notes that are pinned, oldest first" },
  remove: { value: "<pin>", summary: "take this note away again" },
  dir: { value: "<directory>", summary: "the newest session of that directory instead of this one" },
  ...formattedStorageOptions,
} as const

export const sessionPinForm = {
  usage: ['session pin [options] [id] "<note>"', "session pin --list [id]", "session pin --remove <pin> [id]"],
  notes: [
    "A pinned note stays in the context, word for word, whatever is replaced by a summary. The agent reads it with your " +
      "next message, and again after each compaction. Without an id it is the newest session of this directory.",
    "What is taken away stays in what the agent has read until the next compaction.",
  ],
  words: { min: 0, max: Infinity },
  options: sessionPinOptions,
  exitCodes: done,
  examples: [
    ['pawl session pin "Never touch the public API."', "for the newest session of this directory"],
    ['pawl session pin ses_7ZZ… "The staging server is down."', "for another one"],
    ["pawl session pin --list", "what is pinned, with the ids for --remove"],
  ],
} as const satisfies CommandForm
