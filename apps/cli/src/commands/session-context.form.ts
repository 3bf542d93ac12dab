import type { CommandForm } from "../arguments/command.ts"
import { done, formattedStorageOptions, rawOptions, modelOptions } from "../command-options.ts"

export const sessionContextOptions = {
  ...modelOptions,
  dir: { value: "<directory>", summary: "directory of the newest session (default: this one)" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

export const sessionContextForm = {
  usage: ["session context [options] [id]"],
  notes: [
    "Shows the content of the session's next request, the free space in the context window, and past compactions. Nothing is " +
      "sent. Default session: the newest one of this directory.",
    "Token counts are estimates, corrected by the usage that the session's model reports. -m shows another model's window.",
  ],
  words: { min: 0, max: 1 },
  options: sessionContextOptions,
  exitCodes: done,
  examples: [
    ["pawl session context", "show what fills the window"],
    ["pawl session context --format json | jq .shares", "print JSON for a program"],
    ["pawl session context -m ollama/qwen3-coder", "check whether another model has room for it"],
  ],
} as const satisfies CommandForm
