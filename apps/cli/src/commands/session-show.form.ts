import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, rawOptions } from "../command-options.ts"

export const sessionShowOptions = {
  number: { short: "n", value: "<count>", summary: "print only this many of the newest messages" },
  context: { summary: "show the context window: same as pawl session context" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

export const sessionShowForm = {
  usage: ["session show [options] [id]"],
  notes: ["Default session: the newest one of this directory."],
  words: { min: 0, max: 1 },
  options: sessionShowOptions,
  exitCodes: done,
  examples: [
    ["pawl session show -n 4", "print the last four messages"],
    ["pawl session show ses_7ZZ… | less -R", "read it page by page"],
    ["pawl session show --context", "show what fills the context window"],
  ],
} as const satisfies CommandForm
