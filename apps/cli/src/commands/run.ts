import { resolve } from "node:path"
import type { DeliveryMode } from "@pawl/core"
import type { CommandInput } from "../arguments/command.ts"
import { UsageError } from "../arguments/usage-error.ts"
import type { runOptions } from "./run.form.ts"
import type { ExitCode } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { errorLine } from "../run/json-view.ts"
import { limitsOf } from "../run/limits.ts"
import { runTask } from "../run/run-task.ts"
import type { TaskRequest } from "../run/task-request.ts"
import { readTask } from "../run/task.ts"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import type { SessionChoice } from "@pawl/runtime/session/find-session"

type Input = CommandInput<typeof runOptions>

export async function run(input: Input, host: Host): Promise<ExitCode> {
  try {
    return await runTask(await taskRequest(input, host), host)
  } catch (error) {
    // A program that reads JSON lines gets the error there too.
    if (input.options.format === "json") host.stdout.write(errorLine(error, Date.now(), host.secrets))
    throw withDelivery(error, host)
  }
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
  const [directory, read] = await Promise.all([workDirectory(host, options.dir), readTask(words, host)])
  const task = read ?? (command === undefined ? undefined : { text: "", typed: "" })
  if (task === undefined) checkResume(choice, options)
  const script = options.script === undefined ? undefined : resolve(host.directory, options.script)
  return {
    directory,
    choice,
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
  const given = [
    ...[model && "-m", variant && "--variant", file && "-f", agent && "--agent", id && "--id"],
    ...[steer && "--steer", queue && "--queue", interrupt && "--interrupt"],
  ].find((option) => option !== undefined)
  if (given !== undefined) throw new UsageError(`${given} requires a task: pawl run -c "…"`, HELP)
}
