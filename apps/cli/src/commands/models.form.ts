import type { CommandForm } from "../arguments/command.ts"
import { done, format } from "../command-options.ts"

export const modelsOptions = {
  long: { short: "l", summary: "show all limits, prices, abilities and variants" },
  ...format,
} as const

export const modelsForm = {
  usage: ["models [options] [provider]"],
  notes: [
    "Lists models of the configuration, of saved keys and keys in the environment, of running local servers, and scripts. " +
      "Columns: tokens of the context window and of an answer, dollars per million input and output tokens (+: long requests " +
      "cost more), abilities, and the source. Unknown values are omitted.",
  ],
  words: { min: 0, max: 1 },
  options: modelsOptions,
  exitCodes: done,
  examples: [
    ["pawl models ollama", "list the models of the local Ollama server"],
    ["pawl models anthropic --long", "show details without a key or network"],
  ],
} as const satisfies CommandForm
