import type { CommandForm } from "../arguments/command.ts"
import { formattedStorageOptions, modelOptions } from "../command-options.ts"

export const sessionCompactOptions = {
  focus: { value: "<text>", summary: "topic that the summary should cover in detail" },
  ...modelOptions,
  dir: { value: "<directory>", summary: "directory of the newest session (default: this one)" },
  ...formattedStorageOptions,
} as const

export const sessionCompactForm = {
  usage: ["session compact [options] [id]"],
  notes: [
    "The model writes a summary that replaces older messages in the context. The newest messages, pinned notes, the todo list, " +
      "instructions and your prompts stay unchanged. Nothing is deleted: pawl session show still prints everything. " +
      "Default session: the newest one of this directory.",
    "The model comes from -m, from agent.compaction.model in the configuration, or from the session, in this order.",
  ],
  words: { min: 0, max: 1 },
  options: sessionCompactOptions,
  exitCodes: {
    0: "the session was compacted",
    1: "the session was not compacted; the reason is on stderr",
    130: "interrupted (Ctrl-C); the session is unchanged",
    143: "terminated (SIGTERM); the session is unchanged",
  },
  examples: [
    ["pawl session compact", "compact the newest session"],
    ['pawl session compact --focus "the failing test and what was tried"', "name what the summary must cover"],
    ["pawl session compact -m openai/gpt-5-mini ses_7ZZ…", "use a cheaper model for the summary"],
  ],
} as const satisfies CommandForm
