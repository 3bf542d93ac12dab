import type { CommandForm } from "../arguments/command.ts"
import { formattedStorageOptions } from "../command-options.ts"

export const statsOptions = {
  by: { value: "<what>", choices: ["day", "model", "agent", "tool", "project"], summary: "only this table" },
  since: { value: "<time>", summary: "only the last 12h, 7d or 30d" },
  dir: { value: "<directory>", summary: "only the sessions of this directory" },
  ...formattedStorageOptions,
} as const

export const statsForm = {
  usage: ["stats [options]"],
  notes: [
    "What models were used for: steps, tool calls, tokens in and out, and what they cost by the prices that are known, with " +
      "subagents and summaries. Every table sums up to the same: what a step cost is shared by the tools that it called.",
  ],
  words: { min: 0, max: 0 },
  options: statsOptions,
  exitCodes: { 0: "it was done", 1: "it failed; the reason is on stderr", 130: "you ended it with Ctrl-C" },
  examples: [
    ["pawl stats --since 7d", "the last week"],
    ["pawl stats --by model --dir .", "which models this project uses"],
    ["pawl stats --format json", "for a program: one JSON object a row"],
  ],
} as const satisfies CommandForm
