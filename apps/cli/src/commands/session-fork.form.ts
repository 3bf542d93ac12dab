import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, MISSING_SESSION } from "../command-options.ts"

export const sessionForkOptions = {
  message: { value: "<id>", summary: "first message to leave out" },
  part: { value: "<id>", summary: "with --message: keep its parts before this one" },
  ...formattedStorageOptions,
} as const

export const sessionForkForm = {
  usage: ["session fork [options] <id>"],
  notes: [
    "The new session has copies of all messages, or of the messages before --message. Its id is printed to stdout. " +
      "pawl session show --format json prints the ids of messages and parts.",
  ],
  words: { min: 1, max: 1, missing: MISSING_SESSION },
  options: sessionForkOptions,
  exitCodes: done,
  examples: [
    ["pawl session fork ses_7ZZ…", "try another approach from here"],
    ["pawl session fork ses_7ZZ… --message msg_01M…", "continue from before that message"],
  ],
} as const satisfies CommandForm
