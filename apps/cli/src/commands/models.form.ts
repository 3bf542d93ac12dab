import type { CommandForm } from "../arguments/command.ts"
import { done, format } from "../command-options.ts"

export const modelsOptions = format

export const modelsForm = {
  usage: ["models [provider]"],
  notes: ["From the configuration, keys that are kept or in the environment, local servers that answer, and scripts."],
  words: { min: 0, max: 1 },
  options: modelsOptions,
  exitCodes: done,
  examples: [["pawl models ollama", "what the local Ollama server has"]],
} as const satisfies CommandForm
