import type { CommandForm } from "../arguments/command.ts"
import { done, format } from "../command-options.ts"

export const providerAddOptions = {
  id: { value: "<id>", summary: "id of the provider (default: from the package's name)" },
  ...format,
} as const

export const providerAddForm = {
  usage: ["provider add [options] <package>"],
  notes: [
    "Installs an AI SDK package and adds it to your configuration. npm does not run its scripts. The version stays the same " +
      "until you add another one. The APIs of Anthropic, OpenAI and Google, and Chat Completions, need no package.",
  ],
  words: { min: 1, max: 1, missing: "missing package: pawl provider add <package or path>" },
  options: providerAddOptions,
  exitCodes: done,
  examples: [
    ["pawl provider add @ai-sdk/xai", "then run: pawl run -m xai/<model>"],
    ["pawl provider add @ai-sdk/azure@4 --id work", "install a version under another id"],
  ],
} as const satisfies CommandForm
