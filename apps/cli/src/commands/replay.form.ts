import type { CommandForm } from "../arguments/command.ts"
import { format, modelOptions, trustOptions } from "../command-options.ts"

const { "base-url": baseURL, "api-key-env": keyVariable } = modelOptions

export const replayOptions = {
  against: { value: "<provider/model>", summary: "run the task with this model and compare it with the recording" },
  "live-tools": { summary: "run tools instead of using recorded results; requires --dir" },
  dir: { value: "<directory>", summary: "working directory of live tools" },
  pace: { value: "<factor>", summary: "playback delay factor; 1 = as recorded, 0 = none (default: 0)" },
  ignore: {
    value: "<what>",
    choices: ["system", "tools"],
    multiple: true,
    summary: "do not compare system prompts or tool definitions",
  },
  sanitize: {
    value: "<file>",
    summary: "write a copy without secrets, names and home directories; report what is left",
  },
  "without-content": { summary: "with --sanitize: also replace all texts, keeping only their shape" },
  overwrite: { summary: "with --sanitize: replace an existing file" },
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
    "The recording comes from pawl run --record or pawl session export --recording. The model's replies and the tool results come " +
      "from the file. Nothing is run, stored or sent, and the configuration is not read.",
    "Requests, results, answers and ends are compared with the recording. Dates, directories and session ids may differ. With " +
      "several files, only the verdicts are shown.",
    "With --against, the model gets the same task. A recorded call gets its recorded result; another call gets an error. With " +
      "--live-tools, tools run in --dir as your rules allow; a call that needs approval is denied.",
  ],
  words: { min: 1, max: Infinity, missing: "missing recording; make one: pawl run --record <file>" },
  options: replayOptions,
  exitCodes: {
    0: "the replay matches the recording; with --against: the model answered",
    1: "the replay differs; with --against: the model failed",
    2: "invalid file or command line",
  },
  examples: [
    ["pawl replay bug.jsonl", "replay a run and report differences"],
    ["pawl replay fixtures/*.jsonl", "use recordings as a regression test"],
    ["pawl replay bug.jsonl --against ollama/qwen3-coder", "run the task with another model"],
    ["pawl replay --sanitize report.jsonl bug.jsonl", "make a copy for a bug report"],
  ],
} as const satisfies CommandForm
