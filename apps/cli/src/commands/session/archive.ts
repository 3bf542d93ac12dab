import { defineCommand } from "../../arguments/command.ts"
import { MISSING_SESSION, storageOptions } from "../../command-options.ts"
import { archiving } from "../../session/archiving.ts"

export const command = defineCommand({
  usage: ["session archive [options] <id> …"],
  words: { min: 1, max: Infinity, completes: "sessions", missing: MISSING_SESSION },
  options: storageOptions,
  examples: [["pawl session archive ses_7ZZ…", "list it with pawl session list --archived"]],
  run: archiving(true),
})
