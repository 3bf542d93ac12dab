import type { CommandForm } from "../arguments/command.ts"
import { format, modelOptions, storageOptions, trustOptions } from "../command-options.ts"

export const runOptions = {
  ...modelOptions,
  ...storageOptions,
  continue: { short: "c", summary: "continue the newest session of this directory" },
  session: { short: "s", value: "<id>", summary: "continue this session" },
  dir: { value: "<directory>", summary: "working directory (default: this one)" },
  file: {
    short: "f",
    value: "<path>",
    multiple: true,
    summary: "attach a file, an image, a PDF or a directory listing",
  },
  command: { value: "<name>", summary: "run this slash command with the task as its arguments" },
  title: { value: "<text>", summary: "title of the new session" },
  ask: {
    value: "<policy>",
    choices: ["deny", "wait"],
    default: "as configured, else deny",
    summary: "without a terminal: deny what needs approval, or wait for pawl questions answer",
  },
  deadline: { value: "<time>", summary: "time limit, such as 30s, 5m or 1h" },
  "max-steps": { value: "<number>", summary: "limit of model answers, including subagents" },
  "max-cost": { value: "<dollars>", summary: "limit of the cost in US dollars, including subagents" },
  "max-tokens": { value: "<number>", summary: "limit of tokens, such as 200k or 1.5M" },
  "max-requests": { value: "<number>", summary: "limit of requests, including failed attempts" },
  steer: { summary: "deliver the prompt at the next step of a running session" },
  queue: { summary: "deliver the prompt when a running session has finished its turn" },
  interrupt: { summary: "interrupt the step of a running session and deliver the prompt" },
  id: { value: "<name>", summary: "idempotency key; a prompt with a known key is not sent twice" },
  agent: { value: "<name>", summary: "agent to use, such as build or plan (see pawl agent list)" },
  variant: {
    value: "<name>",
    summary: "variant of the model, such as high; default removes it (see pawl models)",
  },
  thinking: { summary: "show the model's whole reasoning" },
  record: { value: "<file>", summary: "record the run to this file, for pawl replay" },
  overwrite: { summary: "replace an existing recording" },
  ...trustOptions,
  pure: { summary: "run without plugins and MCP servers" },
  ...format,
} as const

export const runForm = {
  usage: ['run [options] "<task>"', "run [options] -", 'run -c "<what next>"', "run -c"],
  notes: [
    "The answer goes to stdout, everything else to stderr. With -, the task is read from stdin. With -c or -s and no " +
      "task, pawl finishes work that a crash or a kill interrupted. After Ctrl-C, a task is required.",
    "/name at the beginning of a task runs a slash command. @path attaches a file, @path#L10-20 some of its lines, and @name " +
      "requests a subagent.",
    "The model comes from --model, PAWL_MODEL, the session, the configuration, or the first key in the environment, in this order. " +
      "Names of local servers: ollama/…, lmstudio/…, llama.cpp/…, vllm/….",
    "The variant is remembered for the session. Changing it invalidates the provider's prompt cache.",
    "Without a terminal, anything that needs approval is denied: the exit code is 3, and the error names the rule, the tool and the " +
      "pattern. With --ask wait, the question stays open for pawl questions answer in another terminal.",
    "If another process runs the session, --steer, --queue and --interrupt store the prompt and return; that process delivers it. " +
      "Otherwise the session runs here.",
  ],
  words: { min: 0, max: Infinity },
  options: runOptions,
  examples: [
    ['pawl run "make the failing test pass"', "use the configured model"],
    ['pawl run -m ollama/qwen3-coder "explain src/main.ts"', "use a local model"],
    ['pawl run --variant high --thinking "why does it deadlock?"', "use more reasoning and show it"],
    ['pawl run -c "now add a test for it"', "continue the newest session"],
    ['pawl run --agent plan "how would you split this module?"', "plan without changing files"],
    ['pawl run -s ses_7ZZ… --steer "leave the tests alone"', "send a prompt to a running session"],
    ['pawl run --max-cost 2 --deadline 20m "fix the build"', "set limits, in a script"],
    ['pawl run --record bug.jsonl "fix the build"', "record it for pawl replay bug.jsonl"],
    ["git diff | pawl run --format json - > events.jsonl", "read the task from stdin, print events as JSON"],
  ],
} as const satisfies CommandForm
