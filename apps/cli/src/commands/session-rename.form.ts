import type { CommandForm } from "../arguments/command.ts"
import { done, storageOptions } from "../command-options.ts"

export const sessionRenameForm = {
  usage: ["session rename [options] <id> <title>"],
  words: { min: 2, max: Infinity, missing: "missing session id or title: pawl session rename <id> <title>" },
  options: storageOptions,
  exitCodes: done,
  examples: [['pawl session rename ses_7ZZ… "The flaky test"', "change its title"]],
} as const satisfies CommandForm
