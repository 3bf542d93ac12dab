import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, WHICH_SESSION } from "../command-options.ts"

export const sessionForkOptions = {
  message: { value: "<id>", summary: "the first message that is left out" },
  part: { value: "<id>", summary: "with --message: keep what stands before this part of it" },
  ...formattedStorageOptions,
} as const

export const sessionForkForm = {
  usage: ["session fork [options] <id>"],
  notes: [
    "The new session has copies of all messages, or of those before --message, and goes its own way from there. " +
      "Its id is printed to stdout. pawl session show --format json tells the ids of messages and parts.",
  ],
  words: { min: 1, max: 1, missing: WHICH_SESSION },
  options: sessionForkOptions,
  exitCodes: done,
  examples: [
    ["pawl session fork ses_7ZZ…", "try something else from here on"],
    ["pawl session fork ses_7ZZ… --message msg_01M…", "as it was before that message"],
  ],
} as const satisfies CommandForm
