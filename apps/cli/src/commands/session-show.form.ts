import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, rawOptions } from "../command-options.ts"

export const sessionShowOptions = {
  number: { short: "n", value: "<count>", summary: "only so many messages, the newest" },
  context: { summary: "print what fills the model's window instead: the same as pawl session context" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

export const sessionShowForm = {
  usage: ["session show [options] [id]"],
  notes: ["Without an id it is the newest session of this directory."],
  words: { min: 0, max: 1 },
  options: sessionShowOptions,
  exitCodes: done,
  examples: [
    ["pawl session show -n 4", "how it ended"],
    ["pawl session show ses_7ZZ… | less -R", "read it page by page"],
    ["pawl session show --context", "what fills the window of the newest session"],
  ],
} as const satisfies CommandForm
