import { type CommandEntry, defineCommand } from "./arguments/command.ts"

/** Which model to use and how to reach it: the same for every command that asks one. */
const modelOptions = {
  model: { short: "m", value: "<provider/model>", summary: "the model to use" },
  "base-url": { value: "<url>", summary: "where the provider's OpenAI-compatible API begins" },
  "api-key-env": { value: "<NAME>", summary: "the environment variable that holds the key" },
  script: { value: "<file>", summary: "play the model from a script instead of asking one" },
} as const

const FORMAT = "how to print: for people, or one JSON object a line"

export const runOptions = {
  ...modelOptions,
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
  format: { value: "<format>", choices: ["text", "json"], summary: FORMAT },
} as const

export const demoOptions = {
  keep: { summary: "leave the project and the session where they are" },
  pace: { value: "<factor>", summary: "how slowly the model plays: 1 as recorded, 0 without pauses" },
} as const

export const sessionListOptions = {
  number: { short: "n", value: "<count>", summary: "list at most so many (20 unless told)" },
  all: { short: "a", summary: "of all directories" },
  dir: { value: "<directory>", summary: "of that directory instead of this one" },
  format: { value: "<format>", choices: ["text", "json"], summary: FORMAT },
} as const

export const sessionShowOptions = {
  format: { value: "<format>", choices: ["text", "json"], summary: FORMAT },
} as const

export const modelsOptions = {
  format: { value: "<format>", choices: ["text", "json"], summary: FORMAT },
} as const

/** Every command with all that help texts need. The code behind a row is loaded when the row is run. */
export const commands: readonly CommandEntry[] = [
  defineCommand(
    {
      name: "run",
      summary: "Give the agent a task in this directory and watch it work.",
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
        ["git diff | pawl run --format json - > events.jsonl", "task from stdin, events as JSON lines"],
      ],
    },
    async () => (await import("./commands/run.ts")).run,
  ),
  defineCommand(
    {
      name: "demo",
      summary: "Watch a whole coding job in a scratch repository, without a key or a network.",
      usage: ["demo [options]"],
      notes: [
        "The model is played from a script; the repository, the tools, the tests and the stored session are real. " +
          "Everything is removed at the end unless it is to be kept.",
      ],
      words: { min: 0, max: 0 },
      options: demoOptions,
      examples: [
        ["pawl demo", "at a pace that can be followed"],
        ["pawl demo --keep --pace 0", "at once, and keep the result to look at"],
      ],
    },
    async () => (await import("./commands/demo.ts")).demo,
  ),
  defineCommand(
    {
      name: "session list",
      summary: "List the sessions of this directory, newest first.",
      usage: ["session list [options]"],
      words: { min: 0, max: 0 },
      options: sessionListOptions,
      examples: [
        ["pawl session list -n 5", "the newest five"],
        ["pawl session list --all --format json", "of all directories, for programs"],
      ],
    },
    async () => (await import("./commands/session-list.ts")).sessionList,
  ),
  defineCommand(
    {
      name: "session show",
      summary: "Print what was said and done in a session.",
      usage: ["session show [options] <id>"],
      words: { min: 1, max: 1, missing: "Which session? pawl session list shows them." },
      options: sessionShowOptions,
      examples: [["pawl session show ses_7ZZ… | less -R", "read it page by page"]],
    },
    async () => (await import("./commands/session-show.ts")).sessionShow,
  ),
  defineCommand(
    {
      name: "models",
      summary: "List the models that can be used from here.",
      usage: ["models [provider]"],
      notes: ["From the configuration, keys in the environment, local servers that answer, and scripts."],
      words: { min: 0, max: 1 },
      options: modelsOptions,
      examples: [["pawl models ollama", "what the local Ollama server has"]],
    },
    async () => (await import("./commands/models.ts")).models,
  ),
  defineCommand(
    {
      name: "help",
      summary: "Explain a command.",
      usage: ["help [command]"],
      words: { min: 0, max: 2 },
      options: {},
      examples: [["pawl help run", "the same as pawl run --help"]],
    },
    async () => (await import("./commands/help.ts")).help,
  ),
]
