import type { CommandForm } from "../arguments/command.ts"
import { done } from "../command-options.ts"

export const completionOptions = {
  line: { value: "<text>", summary: "print completions of this command line; used by the script" },
} as const

export const completionForm = {
  usage: ["completion bash|zsh|fish"],
  notes: [
    "The script completes commands, options, models and sessions when you press Tab. It calls pawl for completions, so an " +
      "update of pawl does not require a new script.",
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
