import type { CommandForm } from "../arguments/command.ts"
import { formattedStorageOptions } from "../command-options.ts"
import { ASPECTS } from "../stats/aspects.ts"

export const statsOptions = {
  by: { value: "<what>", choices: ASPECTS, summary: "only this table" },
  days: { value: "<number>", summary: "only the last so many days, today included" },
  since: { value: "<time>", summary: "only the last 12h, 7d or 30d" },
  model: { short: "m", value: "<provider/model>", summary: "only what this model was used for" },
  agent: { value: "<name>", summary: "only what this agent did" },
  dir: { value: "<directory>", summary: "only the sessions of this directory" },
  top: { value: "<number>", summary: "so many rows of each table, the dearest; 20 unless told, 0 for all" },
  ...formattedStorageOptions,
} as const

export const statsForm = {
  usage: ["stats [options]"],
  notes: [
    "What models were used for: steps, tool calls, tokens in and out, how many of those in came from a cache, and what they cost by " +
      "the prices that are known, with subagents, summaries, titles and failed attempts. Every table sums up to the same: what a step " +
      "cost is shared by the tools that it called, and what a fork has copied counts once, where it was paid for.",
  ],
  words: { min: 0, max: 0 },
  options: statsOptions,
  exitCodes: { 0: "it was done", 1: "it failed; the reason is on stderr", 130: "you ended it with Ctrl-C" },
  examples: [
    ["pawl stats --days 7", "the last week"],
    ["pawl stats --by model --dir .", "which models this project uses"],
    ["pawl stats --by session --top 5", "the five dearest sessions, with their subagents"],
    ["pawl stats --format json", "for a program: one JSON object a row"],
  ],
} as const satisfies CommandForm
