import type { CommandForm } from "../arguments/command.ts"
import { done, format } from "../command-options.ts"

export const providerAddOptions = {
  id: { value: "<id>", summary: "what the provider is called; from the package's name unless told" },
  ...format,
} as const

export const providerAddForm = {
  usage: ["provider add [options] <package>"],
  notes: [
    "Installs a package of the AI SDK that makes a provider, and names it in your own configuration. npm runs no scripts of " +
      "it. What is installed stays what it is until another version is asked for. pawl speaks the APIs of Anthropic, OpenAI and " +
      "Google, and Chat Completions, without any.",
  ],
  words: { min: 1, max: 1, missing: "Which package? pawl provider add <package or path>" },
  options: providerAddOptions,
  exitCodes: done,
  examples: [
    ["pawl provider add @ai-sdk/xai", "then: pawl run -m xai/<model>"],
    ["pawl provider add @ai-sdk/azure@4 --id work", "this version of it, under another name"],
  ],
} as const satisfies CommandForm
