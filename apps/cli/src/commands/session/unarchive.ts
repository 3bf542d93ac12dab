import { defineCommand } from "../../arguments/command.ts"
import { storageOptions } from "../../command-options.ts"
import { archiving } from "../../session/archiving.ts"

export const command = defineCommand({
  usage: ["session unarchive [options] <id> …"],
  words: {
    min: 1,
    max: Infinity,
    completes: "sessions",
    missing: "missing session id; list them: pawl session list --archived",
  },
  options: storageOptions,
  examples: [["pawl session unarchive ses_7ZZ…", "undo pawl session archive"]],
  run: archiving(false),
})
