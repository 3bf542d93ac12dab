import type { CommandForm } from "../arguments/command.ts"
import { formattedStorageOptions, modelOptions } from "../command-options.ts"

export const sessionCompactOptions = {
  focus: { value: "<text>", summary: "what the summary is to dwell on" },
  ...modelOptions,
  dir: { value: "<directory>", summary: "the newest session of that directory instead of this one" },
  ...formattedStorageOptions,
} as const

export const sessionCompactForm = {
  usage: ["session compact [options] [id]"],
  notes: [
    "Older messages are replaced by a summary that the model writes; the newest stay word for word, and so do pinned notes, " +
      "the todo list, instructions and what was asked. Nothing is deleted: pawl session show still tells everything. " +
      "Without an id it is the newest session of this directory.",
    "The summary is written by the model of -m, else of agent.compaction.model in the configuration, else of the session.",
  ],
  words: { min: 0, max: 1 },
  options: sessionCompactOptions,
  exitCodes: {
    0: "it was compacted",
    1: "it was not; the reason is on stderr",
    130: "ended with Ctrl-C: the session is as it was",
    143: "ended by SIGTERM: the session is as it was",
  },
  examples: [
    ["pawl session compact", "before going on with a long session"],
    ['pawl session compact --focus "the failing test and what was tried"', "say what matters"],
    ["pawl session compact -m openai/gpt-5-mini ses_7ZZ…", "let a cheaper model write the summary"],
  ],
} as const satisfies CommandForm
