import { resolve } from "node:path"
import type { CommandInput } from "../arguments/command.ts"
import { UsageError } from "../arguments/usage-error.ts"
import type { runOptions } from "./run.form.ts"
import type { ExitCode } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { errorLine } from "../run/json-view.ts"
import { runTask } from "../run/run-task.ts"
import type { TaskRequest } from "../run/task-request.ts"
import { readTask } from "../run/task.ts"
import { workDirectory } from "../run/work-directory.ts"
import type { SessionChoice } from "../session/find-session.ts"

type Input = CommandInput<typeof runOptions>

export async function run(input: Input, host: Host): Promise<ExitCode> {
  try {
    return await runTask(await taskRequest(input, host), host)
  } catch (error) {
    // Who reads JSON lines finds the reason there, besides stderr.
    if (input.options.format === "json") host.stdout.write(errorLine(error, Date.now(), host.secrets))
    throw error
  }
}

async function taskRequest({ options, words }: Input, host: Host): Promise<TaskRequest> {
  const choice = chosenSession(options)
  const [directory, text] = await Promise.all([workDirectory(host, options.dir), readTask(words, host)])
  if (text === undefined) checkResume(choice, options)
  const script = options.script === undefined ? undefined : resolve(host.directory, options.script)
  return {
    directory,
    choice,
    ...(text === undefined ? {} : { task: { text, files: options.file ?? [] } }),
    model: { model: options.model, baseURL: options["base-url"], keyVariable: options["api-key-env"], script },
    agent: options.agent,
    format: options.format ?? "text",
    storage: options.storage,
    trust: options.trust,
  }
}

function chosenSession({ continue: newest, session, title }: Input["options"]): SessionChoice {
  if (newest && session !== undefined) throw new UsageError("-c and -s name two sessions. Give one of them.")
  if ((newest || session !== undefined) && title !== undefined) throw new UsageError("--title is for a new session.")
  if (session !== undefined) return { type: "id", id: session }
  return newest ? { type: "newest" } : { type: "new", title }
}

function checkResume(choice: SessionChoice, { model, file, agent }: Input["options"]): void {
  if (choice.type === "new") throw new UsageError('What is to be done? pawl run "<task>"', "See: pawl run --help")
  const given = [model && "-m", file && "-f", agent && "--agent"].find((option) => option !== undefined)
  if (given !== undefined) throw new UsageError(`${given} goes with a task: pawl run -c "…"`, "See: pawl run --help")
}
