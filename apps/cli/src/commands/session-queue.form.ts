import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, rawOptions, WHICH_SESSION } from "../command-options.ts"

export const sessionQueueOptions = {
  remove: { value: "<id>", summary: "take this prompt back: its id, or the name of pawl run --id" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

export const sessionQueueForm = {
  usage: ["session queue [options] <id>"],
  notes: ["What pawl run --steer, --queue and --interrupt have left for a session at work, and it has not read yet."],
  words: { min: 1, max: 1, missing: WHICH_SESSION },
  options: sessionQueueOptions,
  exitCodes: done,
  examples: [["pawl session queue ses_7ZZ… --remove msg_7ZZ…", "it is not read any more"]],
} as const satisfies CommandForm
