import type { CommandForm } from "../arguments/command.ts"
import { done, storageOptions, WHICH_SESSION } from "../command-options.ts"

export const sessionExportOptions = {
  output: { short: "o", value: "<file>", summary: "write to this file instead of stdout" },
  recording: { summary: "as a recording for pawl replay" },
  raw: { summary: "with keys, tokens and other secrets as they are stored: otherwise they are masked" },
  sanitize: { summary: "besides keys and tokens, mask home directories and the like" },
  "without-content": { summary: "besides, mask all that was said, read and written" },
  ...storageOptions,
} as const

export const sessionExportForm = {
  usage: ["session export [options] <id>"],
  notes: [
    "The document holds everything that is needed to go on elsewhere: sessions, messages, large outputs. " +
      "pawl session import reads it. Keys, tokens and other secrets are masked, which the document says.",
  ],
  words: { min: 1, max: 1, missing: WHICH_SESSION },
  options: sessionExportOptions,
  exitCodes: done,
  isForPrograms: true,
  examples: [
    ["pawl session export ses_7ZZ… -o session.json", "to go on with on another machine"],
    ["pawl session export --raw ses_7ZZ… -o session.json", "the same with all secrets in it"],
    ["pawl session export --recording ses_7ZZ… -o bug.jsonl", "to replay it: pawl replay bug.jsonl"],
    ["pawl session export --sanitize ses_7ZZ… -o report.json", "for a bug report; look it through yourself too"],
  ],
} as const satisfies CommandForm
