import type { CommandForm } from "../arguments/command.ts"
import { formattedStorageOptions } from "../command-options.ts"
import { ASPECTS } from "@pawl/reports/usage/aspects"

export const statsOptions = {
  by: { value: "<what>", choices: ASPECTS, summary: "show only this table" },
  days: { value: "<number>", summary: "count only this many days, including today" },
  since: { value: "<time>", summary: "count only a period, such as 90m, 12h or 7d" },
  model: { short: "m", value: "<provider/model>", summary: "count only this model" },
  agent: { value: "<name>", summary: "count only this agent" },
  dir: { value: "<directory>", summary: "count only the sessions of this directory" },
  top: { value: "<number>", summary: "rows of each table, highest cost first; 0 = all (default: 20)" },
  ...formattedStorageOptions,
} as const

export const statsForm = {
  usage: ["stats [options]"],
  notes: [
    "Shows steps, tool calls, input and output tokens, cached input tokens, and cost by known prices. Subagents, summaries, titles " +
      "and failed attempts are included. Every table has the same total: the cost of a step is divided among the tools it called, " +
      "and messages that a fork copied count once, in the original session.",
  ],
  words: { min: 0, max: 0 },
  options: statsOptions,
  exitCodes: { 0: "success", 1: "failed; the reason is on stderr", 130: "interrupted (Ctrl-C)" },
  examples: [
    ["pawl stats --days 7", "show the last week"],
    ["pawl stats --by model --dir .", "show the models of this project"],
    ["pawl stats --by session --top 5", "show the five sessions with the highest cost"],
    ["pawl stats --format json", "print one JSON object per row"],
  ],
} as const satisfies CommandForm
