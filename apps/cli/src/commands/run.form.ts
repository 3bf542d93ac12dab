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
  command: { value: "<name>", summary: "the task is what follows a slash command: see pawl command list" },
  title: { value: "<text>", summary: "the title of a new session" },
  ask: {
    value: "<policy>",
    choices: ["deny", "wait"],
    summary: "where nobody sits at a terminal: refuse what has to be asked, or wait for pawl questions answer",
  },
  deadline: { value: "<time>", summary: "end after 30s, 5m or 1h" },
  "max-steps": { value: "<number>", summary: "end after so many answers of the model, subagents included" },
  "max-cost": { value: "<dollars>", summary: "end before it costs more, subagents included" },
  "max-tokens": { value: "<number>", summary: "end before it takes more tokens, such as 200k or 1.5M" },
  "max-requests": { value: "<number>", summary: "end after so many requests, failed attempts included" },
  steer: { summary: "a session at work reads this at its next step" },
  queue: { summary: "a session at work reads this when its turn is over" },
  interrupt: { summary: "a session at work reads this at once, in place of its step" },
  id: { value: "<name>", summary: "your name for the prompt: sent again, it is the same prompt" },
  agent: { value: "<name>", summary: "the agent that works: build, plan, or one of your own: see pawl agent list" },
  variant: {
    value: "<name>",
    summary: "the model's variant, such as a reasoning effort: high; default for none; see pawl models",
  },
  thinking: { summary: "show all of the model's reasoning" },
  record: { value: "<file>", summary: "write the run into this file, for pawl replay" },
  overwrite: { summary: "a recording that is there already is replaced" },
  ...trustOptions,
  pure: { summary: "without plugins and MCP servers" },
  ...format,
} as const

export const runForm = {
  usage: ['run [options] "<task>"', "run [options] -", 'run -c "<what next>"', "run -c"],
  notes: [
    "The answer goes to stdout, everything else to stderr. With - the task is read from stdin. With -c or -s and no " +
      "task, work that a crash or a kill cut off is finished; a run that Ctrl-C stopped needs a task.",
    "A task that begins with /name is a command. @path attaches a file, with #L10-20 its lines; @name asks for a subagent.",
    "The model is the one of --model, else of PAWL_MODEL, of the session, of the configuration, of the first key found in the environment. " +
      "Local servers are reached by name: ollama/…, lmstudio/…, llama.cpp/…, vllm/….",
    "A variant stays with the session until another one is chosen. Another one has the provider read its prompt anew.",
    "Where nobody sits at a terminal, what has to be asked is refused at once: exit code 3, and an error line that names rule, " +
      "tool and pattern. With --ask wait it stays open for pawl questions answer, from anywhere.",
    "A session that another process works on takes --steer, --queue and --interrupt: the prompt is stored, the command ends, " +
      "and that process delivers it. A session that nobody works on is worked on here.",
  ],
  words: { min: 0, max: Infinity },
  options: runOptions,
  examples: [
    ['pawl run "make the failing test pass"', "with the model of the configuration"],
    ['pawl run -m ollama/qwen3-coder "explain src/main.ts"', "with a local model"],
    ['pawl run --variant high --thinking "why does it deadlock?"', "with more reasoning, and shown"],
    ['pawl run -c "now add a test for it"', "go on with the newest session"],
    ['pawl run --agent plan "how would you split this module?"', "read and plan, change nothing"],
    ['pawl run -s ses_7ZZ… --steer "leave the tests alone"', "tell a session at work"],
    ['pawl run --max-cost 2 --deadline 20m "fix the build"', "in a script, with an end"],
    ['pawl run --record bug.jsonl "fix the build"', "and replay it later: pawl replay bug.jsonl"],
    ["git diff | pawl run --format json - > events.jsonl", "task from stdin, events as JSON lines"],
  ],
} as const satisfies CommandForm
