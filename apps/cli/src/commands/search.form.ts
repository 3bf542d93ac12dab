import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, rawOptions } from "../command-options.ts"

export const searchOptions = {
  number: { short: "n", value: "<count>", summary: "find at most so much (20 unless told)" },
  session: { short: "s", value: "<id>", summary: "in this session" },
  all: { short: "a", summary: "in the sessions of all directories" },
  dir: { value: "<directory>", summary: "in those of that directory instead of this one" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

export const searchForm = {
  usage: ["search [options] <text>"],
  notes: [
    "Finds prompts, answers, and inputs and outputs of tools that hold every word, or a word that begins with it, in any " +
      "case. The newest come first.",
    "What was written since the last search is indexed first. Ctrl-C ends that and prints what was found so far; the same " +
      "command goes on.",
  ],
  words: { min: 1, max: Infinity, missing: "What is to be found? pawl search <text>" },
  options: searchOptions,
  exitCodes: {
    ...done,
    0: "it was searched, whether or not anything was found",
    130: "ended with Ctrl-C before all was searched",
  },
  examples: [
    ["pawl search flaky test", "in the sessions of this directory"],
    ["pawl search --all --format json ECONNRESET", "everywhere, for programs"],
  ],
} as const satisfies CommandForm
