import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, rawOptions, modelOptions } from "../command-options.ts"

export const sessionContextOptions = {
  ...modelOptions,
  dir: { value: "<directory>", summary: "the newest session of that directory instead of this one" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

export const sessionContextForm = {
  usage: ["session context [options] [id]"],
  notes: [
    "Shows what the next request of a session would hold, what the model's window has room for, and what has been done " +
      "about a full one. Nothing is sent. Without an id it is the newest session of this directory.",
    "Tokens are estimates, which the answers of the session's model correct. With -m it is the window of another model.",
  ],
  words: { min: 0, max: 1 },
  options: sessionContextOptions,
  exitCodes: done,
  examples: [
    ["pawl session context", "what fills the window"],
    ["pawl session context --format json | jq .shares", "for programs"],
    ["pawl session context -m ollama/qwen3-coder", "whether it would fit there"],
  ],
} as const satisfies CommandForm
