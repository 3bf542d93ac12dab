import type { CommandForm } from "../arguments/command.ts"
import { format, modelOptions, storageOptions, trustOptions } from "../command-options.ts"

export const runOptions = {
  ...modelOptions,
  ...storageOptions,
  continue: { short: "c", summary: "go on with the newest session of this directory" },
  session: { short: "s", value: "<id>", summary: "go on with this session" },
  dir: { value: "<directory>", summary: "work there instead of here" },
  file: {
    short: "f",
    value: "<path>",
    multiple: true,
    summary: "attach a file, an image, a PDF or a directory listing",
  },
  title: { value: "<text>", summary: "the title of a new session" },
  agent: { value: "<name>", summary: "the agent that works: build, plan, or one of the configuration" },
  ...trustOptions,
  ...format,
} as const

export const runForm = {
  usage: ['run [options] "<task>"', "run [options] -", 'run -c "<what next>"', "run -c"],
  notes: [
    "The answer goes to stdout, everything else to stderr. With - the task is read from stdin. With -c or -s and no " +
      "task, work that was interrupted is finished.",
    "The model is the one of --model, else of PAWL_MODEL, of the session, of the configuration, of the first key found in the environment. " +
      "Local servers are reached by name: ollama/…, lmstudio/…, llama.cpp/…, vllm/….",
  ],
  words: { min: 0, max: Infinity },
  options: runOptions,
  examples: [
    ['pawl run "make the failing test pass"', "with the model of the configuration"],
    ['pawl run -m ollama/qwen3-coder "explain src/main.ts"', "with a local model"],
    ['pawl run -c "now add a test for it"', "go on with the newest session"],
    ['pawl run --agent plan "how would you split this module?"', "read and plan, change nothing"],
    ["git diff | pawl run --format json - > events.jsonl", "task from stdin, events as JSON lines"],
  ],
} as const satisfies CommandForm
