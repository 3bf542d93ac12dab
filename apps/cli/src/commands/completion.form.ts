import type { CommandForm } from "../arguments/command.ts"
import { done } from "../command-options.ts"

export const completionOptions = {
  line: { value: "<text>", summary: "print what may come next in this command line; shells ask so" },
} as const

export const completionForm = {
  usage: ["completion bash|zsh|fish"],
  notes: [
    "Prints a script that completes commands, options, models and sessions of pawl when you press Tab. The script asks pawl " +
      "itself, so that it stays right after an update.",
  ],
  words: { min: 0, max: 1 },
  options: completionOptions,
  exitCodes: done,
  examples: [
    [`echo 'source <(pawl completion bash)' >> ~/.bashrc`, "bash"],
    ['pawl completion zsh > "${fpath[1]}/_pawl"', "zsh, with compinit in your .zshrc"],
    ["pawl completion fish > ~/.config/fish/completions/pawl.fish", "fish"],
  ],
} as const satisfies CommandForm
