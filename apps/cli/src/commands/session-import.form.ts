import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions } from "../command-options.ts"

export const sessionImportOptions = {
  map: { value: "<from>=<to>", multiple: true, summary: "paths below <from> become paths below <to>" },
  "new-ids": { summary: "as a copy beside what is here already" },
  "from-opencode": { summary: "what OpenCode has stored, from its usual place or a path" },
  ...formattedStorageOptions,
} as const

export const sessionImportForm = {
  usage: ["session import [options] <file>", "session import [options] -", "session import --from-opencode [path]"],
  notes: [
    "A document is what pawl session export or opencode export wrote. What is here already is left alone; where it differs, " +
      "nothing is imported without --new-ids.",
    "What a document denies or asks holds here too. What it allows is left out and listed: answers of always, rules, an agent that could do more " +
      "than your own, and calls, tasks and prompts that would be done as soon as the session is continued.",
    "With --from-opencode the sessions of OpenCode are only read, from its database or its older files. Again, it brings " +
      "in what is new there.",
  ],
  words: { min: 0, max: 1 },
  options: sessionImportOptions,
  exitCodes: { ...done, 1: "it failed, or not everything could be imported" },
  examples: [
    ["pawl session import session.json --map /home/ann/app=/srv/app", "the project lies elsewhere here"],
    ["pawl session import --from-opencode", "all that OpenCode has on this machine"],
  ],
} as const satisfies CommandForm
