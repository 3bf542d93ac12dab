import type { CommandForm } from "../arguments/command.ts"
import { done, storageOptions, MISSING_SESSION } from "../command-options.ts"

export const sessionExportOptions = {
  output: { short: "o", value: "<file>", summary: "output file (default: stdout)" },
  recording: { summary: "write a recording for pawl replay" },
  raw: { summary: "do not mask keys, tokens and other secrets" },
  sanitize: { summary: "also mask home directories and personal data" },
  "without-content": { summary: "also mask all texts that were said, read and written" },
  ...storageOptions,
} as const

export const sessionExportForm = {
  usage: ["session export [options] <id>"],
  notes: [
    "The document contains everything needed to continue on another machine: sessions, messages and large outputs. " +
      "Read it with pawl session import. Keys, tokens and other secrets are masked, and the document says so.",
  ],
  words: { min: 1, max: 1, missing: MISSING_SESSION },
  options: sessionExportOptions,
  exitCodes: done,
  isForPrograms: true,
  examples: [
    ["pawl session export ses_7ZZ… -o session.json", "continue on another machine"],
    ["pawl session export --raw ses_7ZZ… -o session.json", "include all secrets"],
    ["pawl session export --recording ses_7ZZ… -o bug.jsonl", "then replay it: pawl replay bug.jsonl"],
    ["pawl session export --sanitize ses_7ZZ… -o report.json", "for a bug report; review it before you send it"],
  ],
} as const satisfies CommandForm
