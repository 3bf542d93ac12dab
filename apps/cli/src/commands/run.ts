import { resolve } from "node:path"
import type { DeliveryMode } from "@pawl/core"
import { type CommandInput, defineCommand } from "../arguments/command.ts"
import { UsageError } from "../arguments/usage-error.ts"
import { type ExitCode, runMeanings } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { errorLine } from "../run/json-view.ts"
import { limitsOf } from "../run/limits.ts"
import { runTask } from "../run/run-task.ts"
import type { TaskRequest } from "../run/task-request.ts"
import { discardWorktree, runWorktree } from "../run/run-worktree.ts"
import { readTask } from "../run/task.ts"
import { toModelRef } from "@pawl/provider-registry/model-ref"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import type { SessionChoice } from "@pawl/runtime/session/find-session"
import { format, modelOptions, storageOptions, trustOptions } from "../command-options.ts"

const runOptions = {
  ...modelOptions,
  ...storageOptions,
  continue: { short: "c", summary: "continue the newest session of this directory" },
  session: { short: "s", value: "<id>", completes: "sessions", summary: "continue this session" },
  dir: { value: "<directory>", completes: "directories", summary: "working directory (default: this one)" },
  worktree: {
    value: "<name>",
    isOptional: true,
    completes: "worktrees",
    summary: "work in a git worktree of this repository, new or existing (default: a new name)",
  },
  file: {
    short: "f",
    value: "<path>",
    completes: "files",
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
  record: { value: "<file>", completes: "files", summary: "record the run to this file, for pawl replay" },
  overwrite: { summary: "replace an existing recording" },
  attach: {
    value: "<server>",
    isOptional: true,
    summary: "run it through a server: an address, or a socket (default: the running pawl serve)",
  },
  "token-file": { value: "<file>", completes: "files", summary: "file with the token of the server of --attach" },
  ...trustOptions,
  pure: { summary: "run without plugins and MCP servers" },
  ...format,
} as const

type Input = CommandInput<typeof runOptions>

async function run(input: Input, host: Host): Promise<ExitCode> {
  let request: TaskRequest | undefined
  try {
    if (input.options.attach !== undefined) return await runThroughServer(input, input.options.attach, host)
    if (input.options["token-file"] !== undefined) throw new UsageError("--token-file requires --attach.", HELP)
    request = await taskRequest(input, host)
    return await runTask(request, host)
  } catch (error) {
    await discardUnused(request, error, host)
    // A program that reads JSON lines gets the error there too.
    if (input.options.format === "json") host.stdout.write(errorLine(error, Date.now(), host.secrets))
    throw withDelivery(error, host)
  }
}

/** Options that the server decides, in its own configuration. */
const OF_SERVER = [
  ...["worktree", "storage", "script", "base-url", "api-key-env", "ask", "deadline", "max-steps", "max-cost"],
  ...["max-tokens", "max-requests", "steer", "queue", "interrupt", "id", "record", "overwrite", "trust", "pure"],
] as const satisfies readonly (keyof typeof runOptions)[]

async function runThroughServer({ options, words }: Input, server: string | true, host: Host): Promise<ExitCode> {
  const given: Readonly<Record<string, unknown>> = options
  const other = OF_SERVER.find((name) => given[name] !== undefined && given[name] !== false)
  if (other !== undefined) throw new UsageError(`--${other} cannot be used with --attach.`, HELP)
  const model = options.model === undefined ? undefined : toModelRef(options.model)
  if (options.model !== undefined && !model) throw new UsageError(`"${options.model}" is not provider/model.`, HELP)
  const task = await readTask(words, host, { mayBeEmpty: options.command !== undefined })
  if (!task && options.command === undefined) throw new UsageError("--attach requires a task.", HELP)
  const [{ attach }, { runAttached }] = await Promise.all([
    import("../run/attach.ts"),
    import("../run/attached-task.ts"),
  ])
  const client = await attach({ server, tokenFile: options["token-file"] }, host)
  const { url, socket } = client.options as { readonly url?: string; readonly socket?: string }
  return runAttached(
    {
      client,
      address: url ?? socket ?? "",
      directory: await workDirectory(host, options.dir),
      choice: chosenSession(options),
      task: task ?? { text: "", typed: "" },
      command: options.command,
      files: options.file ?? [],
      model,
      agent: options.agent,
      variant: options.variant,
      format: options.format ?? "text",
      showsThinking: options.thinking,
    },
    host,
  )
}

/** Discards the new worktree of a run that could not begin because of its options or configuration. */
async function discardUnused(request: TaskRequest | undefined, error: unknown, host: Host): Promise<void> {
  const isRefused = error instanceof Error && ["UsageError", "ConfigError"].includes(error.name)
  // The error of the run is reported, not that of the clean-up.
  if (isRefused && request?.worktree?.isNew) await discardWorktree(request.worktree, host).catch(() => undefined)
}

/** Adds a hint with the ways to reach a running session. */
function withDelivery(error: unknown, { program }: Host): unknown {
  if (!(error instanceof Error) || error.name !== "SessionBusyError" || !("sessionID" in error)) return error
  if ("hint" in error) return error
  const way = `${program} run -s ${String(error.sessionID)} --queue "…"`
  const hint = `Or send it a prompt: ${way} delivers it after the turn, --steer at the next step, --interrupt at once.`
  return Object.assign(error, { hint })
}

async function taskRequest({ options, words }: Input, host: Host): Promise<TaskRequest> {
  const choice = chosenSession(options)
  const { command } = options
  const [workingDirectory, read] = await Promise.all([
    workDirectory(host, options.dir),
    readTask(words, host, { mayBeEmpty: command !== undefined }),
  ])
  const task = read ?? (command === undefined ? undefined : { text: "", typed: "" })
  if (task === undefined) checkResume(choice, options)
  const { dir, worktree: named, session, continue: continues = false } = options
  const worktree =
    named === undefined ? undefined : await runWorktree({ worktree: named, dir, continues, session, words }, host)
  const directory = worktree?.directory ?? workingDirectory
  const script = options.script === undefined ? undefined : resolve(host.directory, options.script)
  return {
    directory,
    choice,
    worktree,
    ...(task === undefined ? {} : { task: { ...task, command, files: options.file ?? [] } }),
    model: {
      model: options.model,
      baseURL: options["base-url"],
      keyVariable: options["api-key-env"],
      script,
      variant: options.variant,
    },
    agent: options.agent,
    format: options.format ?? "text",
    showsThinking: options.thinking,
    record: recordOf(options, host),
    storage: options.storage,
    trust: options.trust,
    isPure: options.pure,
    askPolicy: options.ask,
    limits: limitsOf(options),
    delivery: deliveryOf(options, choice),
    clientID: options.id,
  }
}

/** Returns the delivery mode. Throws UsageError for several modes, and for a new session. */
function deliveryOf(options: Input["options"], choice: SessionChoice): DeliveryMode | undefined {
  const [mode, another] = (["steer", "queue", "interrupt"] as const).filter((each) => options[each])
  if (another !== undefined) throw new UsageError(`--${mode} and --${another} cannot be used together.`, HELP)
  if (mode !== undefined && choice.type === "new") {
    throw new UsageError(`--${mode} needs a running session; select one with -s or -c.`, HELP)
  }
  return mode
}

/** Returns the recording request. Throws UsageError if another process would do the work. */
function recordOf({ record, overwrite, steer, queue, interrupt }: Input["options"], host: Host) {
  if (record === undefined) {
    if (overwrite) throw new UsageError("--overwrite requires --record <file>.", HELP)
    return undefined
  }
  if (steer || queue || interrupt)
    throw new UsageError("--record cannot be used with --steer, --queue or --interrupt.", HELP)
  return { path: resolve(host.directory, record), replaces: overwrite === true }
}

const HELP = "See: pawl run --help"

function chosenSession({ continue: newest, session, title }: Input["options"]): SessionChoice {
  if (newest && session !== undefined) throw new UsageError("-c and -s cannot be used together.")
  if ((newest || session !== undefined) && title !== undefined) throw new UsageError("--title is for a new session.")
  if (session !== undefined) return { type: "id", id: session }
  return newest ? { type: "newest" } : { type: "new", title }
}

function checkResume(choice: SessionChoice, options: Input["options"]): void {
  const { model, variant, file, agent, steer, queue, interrupt, id } = options
  if (choice.type === "new") throw new UsageError('missing task: pawl run "<task>"', HELP)
  const option = [
    ...[model && "-m", variant && "--variant", file && "-f", agent && "--agent", id && "--id"],
    ...[steer && "--steer", queue && "--queue", interrupt && "--interrupt"],
  ].find((option) => option !== undefined)
  if (option !== undefined) throw new UsageError(`${option} requires a task: pawl run -c "…"`, HELP)
}

export const command = defineCommand({
  usage: ['run [options] "<task>"', "run [options] -", 'run -c "<what next>"', "run -c"],
  notes: [
    "The answer goes to stdout, everything else to stderr. With -, the task is read from stdin. With -c or -s and no " +
      "task, pawl finishes work that a crash or a kill interrupted. After Ctrl-C, a task is required.",
    "/name at the beginning of a task runs a slash command. @path attaches a file, @path:10-20 some of its lines, and @name " +
      "requests a subagent.",
    "The model comes from --model, PAWL_MODEL, the session, the configuration, or the first key in the environment, in this order. " +
      "Names of local servers: ollama/…, lmstudio/…, llama.cpp/…, vllm/….",
    "The variant is remembered for the session. Changing it invalidates the provider's prompt cache.",
    "Without a terminal, anything that needs approval is denied: the exit code is 3, and the error names the rule, the tool and the " +
      "pattern. With --ask wait, the question stays open for pawl questions answer in another terminal.",
    "With --worktree, the session works in a git worktree in pawl's data directory, on the branch pawl/<name>, and your files stay as they " +
      "are. See pawl worktree list, diff, merge and remove.",
    "With --attach, a pawl serve does the work, with its own storage, configuration and trust, and this terminal shows it and asks its " +
      "questions. The token comes from --token-file, PAWL_SERVE_TOKEN, or the file of your own server.",
    "If another process runs the session, --steer, --queue and --interrupt store the prompt and return; that process delivers it. " +
      "Otherwise the session runs here.",
  ],
  words: { min: 0, max: Infinity, completes: "files" },
  options: runOptions,
  exitCodes: runMeanings,
  examples: [
    ['pawl run "make the failing test pass"', "use the configured model"],
    ['pawl run -m ollama/qwen3-coder "explain src/main.ts"', "use a local model"],
    ['pawl run --variant high --thinking "why does it deadlock?"', "use more reasoning and show it"],
    ['pawl run -c "now add a test for it"', "continue the newest session"],
    ['pawl run --agent plan "how would you split this module?"', "plan without changing files"],
    ['pawl run -s ses_7ZZ… --steer "leave the tests alone"', "send a prompt to a running session"],
    ['pawl run --max-cost 2 --deadline 20m "fix the build"', "set limits, in a script"],
    ['pawl run --record bug.jsonl "fix the build"', "record it for pawl replay bug.jsonl"],
    ['pawl run --worktree=fix-login "fix the login"', "work beside you, in a worktree"],
    ['pawl run --attach -c "now add a test"', "continue on the running pawl serve"],
    ["git diff | pawl run --format json - > events.jsonl", "read the task from stdin, print events as JSON"],
  ],
  run: run,
})
