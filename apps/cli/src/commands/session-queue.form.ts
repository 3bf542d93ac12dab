import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, rawOptions, MISSING_SESSION } from "../command-options.ts"

export const sessionQueueOptions = {
  remove: { value: "<id>", summary: "withdraw this prompt: its id, or its name from pawl run --id" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

export const sessionQueueForm = {
  usage: ["session queue [options] <id>"],
  notes: ["Lists prompts of pawl run --steer, --queue and --interrupt that the session has not read yet."],
  words: { min: 1, max: 1, missing: MISSING_SESSION },
  options: sessionQueueOptions,
  exitCodes: done,
  examples: [["pawl session queue ses_7ZZ… --remove msg_7ZZ…", "withdraw a prompt"]],
} as const satisfies CommandForm
