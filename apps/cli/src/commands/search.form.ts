import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, rawOptions } from "../command-options.ts"

export const searchOptions = {
  number: { short: "n", value: "<count>", summary: "maximum number of results (default: 20)" },
  session: { short: "s", value: "<id>", summary: "search only this session" },
  all: { short: "a", summary: "search the sessions of all directories" },
  dir: { value: "<directory>", summary: "directory to use (default: this one)" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

export const searchForm = {
  usage: ["search [options] <text>"],
  notes: [
    "Finds prompts, answers, tool inputs and tool outputs that contain every word, or words that begin with it. Case is " +
      "ignored. The newest results come first.",
    "Records written since the last search are indexed first. Ctrl-C stops the indexing and prints the results so far; the same " +
      "command continues it.",
  ],
  words: { min: 1, max: Infinity, missing: "missing text: pawl search <text>" },
  options: searchOptions,
  exitCodes: {
    ...done,
    0: "searched, with or without results",
    130: "interrupted (Ctrl-C) before everything was searched",
  },
  examples: [
    ["pawl search flaky test", "search the sessions of this directory"],
    ["pawl search --all --format json ECONNRESET", "search all sessions and print JSON"],
  ],
} as const satisfies CommandForm
