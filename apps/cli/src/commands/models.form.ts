import type { CommandForm } from "../arguments/command.ts"
import { done, format } from "../command-options.ts"

export const modelsOptions = {
  long: { short: "l", summary: "several lines for each: all limits, prices, abilities and variants" },
  ...format,
} as const

export const modelsForm = {
  usage: ["models [options] [provider]"],
  notes: [
    "From the configuration, keys that are kept or in the environment, local servers that answer, and scripts. " +
      "Behind each: tokens of its window and of an answer, dollars for a million tokens of a request and of an answer " +
      "(+: long requests cost more), what it can do, and how it is known. What is unknown is left out.",
  ],
  words: { min: 0, max: 1 },
  options: modelsOptions,
  exitCodes: done,
  examples: [
    ["pawl models ollama", "what the local Ollama server has"],
    ["pawl models anthropic --long", "all that is known of Anthropic's models: no key, no network"],
  ],
} as const satisfies CommandForm
