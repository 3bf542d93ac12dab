import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions } from "../command-options.ts"

export const sessionImportOptions = {
  map: { value: "<from>=<to>", multiple: true, summary: "replace the path prefix <from> with <to>" },
  "new-ids": { summary: "import a copy with new ids" },
  "from-opencode": { summary: "import OpenCode's sessions, from its default directory or a path" },
  ...formattedStorageOptions,
} as const

export const sessionImportForm = {
  usage: ["session import [options] <file>", "session import [options] -", "session import --from-opencode [path]"],
  notes: [
    "A document comes from pawl session export or opencode export. Existing records are not changed. If an existing session " +
      "differs, nothing is imported without --new-ids.",
    "Deny and ask rules of the document are imported. What would allow more is dropped and listed: approvals, allow rules, agents " +
      "with more permissions than yours, and pending calls, tasks and prompts that would run when the session continues.",
    "With --from-opencode, OpenCode's database or older files are only read. Running it again imports what is new.",
  ],
  words: { min: 0, max: 1 },
  options: sessionImportOptions,
  exitCodes: { ...done, 1: "failed, or not everything could be imported" },
  examples: [
    ["pawl session import session.json --map /home/ann/app=/srv/app", "the project has another path here"],
    ["pawl session import --from-opencode", "import all sessions of OpenCode"],
  ],
} as const satisfies CommandForm
