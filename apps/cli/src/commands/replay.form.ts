import type { CommandForm } from "../arguments/command.ts"
import { format, modelOptions, trustOptions } from "../command-options.ts"

const { "base-url": baseURL, "api-key-env": keyVariable } = modelOptions

export const replayOptions = {
  against: { value: "<provider/model>", summary: "ask this model in place of the recorded one, and compare the two" },
  "live-tools": { summary: "run tools instead of giving their recorded results; needs --dir" },
  dir: { value: "<directory>", summary: "where live tools work" },
  pace: { value: "<factor>", summary: "how slowly the model plays: 1 as recorded; 0, which is usual, without pauses" },
  ignore: {
    value: "<what>",
    choices: ["system", "tools"],
    multiple: true,
    summary: "what of requests is not compared: system prompts, definitions of tools",
  },
  sanitize: {
    value: "<file>",
    summary: "write a copy without secrets, names and home directories, and say what is left",
  },
  "without-content": { summary: "with --sanitize: besides, only the shape of all that was said, read and written" },
  overwrite: { summary: "with --sanitize: a file that is there already is replaced" },
  "base-url": baseURL,
  "api-key-env": keyVariable,
  ...trustOptions,
  ...format,
} as const

export const replayForm = {
  usage: [
    "replay [options] <file> …",
    "replay --against <provider/model> <file>",
    "replay --sanitize <new file> <file>",
  ],
  notes: [
    "Plays a recording of pawl run --record, or of pawl session export --recording: the model's replies and the results of " +
      "tools come from the file. Nothing is run, read, stored or sent, and no configuration is looked at.",
    "Each request is compared with the recorded one, and so are results, answers and ends. Dates, directories and ids of " +
      "sessions may be others. With several files only the verdicts are shown.",
    "With --against the model gets the same task, and the recorded result for each call that was recorded; other calls are " +
      "answered with an error that says so. With --live-tools tools run in --dir, as your rules allow; what they ask is refused.",
  ],
  words: { min: 1, max: Infinity, missing: "Which recording? pawl run --record <file> makes one." },
  options: replayOptions,
  exitCodes: {
    0: "the replay is the same as the recording; with --against: the model came to an answer",
    1: "it differs; with --against: the model failed",
    2: "a file or the command line cannot be used",
  },
  examples: [
    ["pawl replay bug.jsonl", "show the work once more, and whether it is the same"],
    ["pawl replay fixtures/*.jsonl", "as a regression test"],
    ["pawl replay bug.jsonl --against ollama/qwen3-coder", "what another model would have done"],
    ["pawl replay --sanitize report.jsonl bug.jsonl", "for a bug report"],
  ],
} as const satisfies CommandForm
