import { basename, join, relative } from "node:path"
import { hidePasswords } from "@pawl/config/hide-passwords"
import type { RunResult, Session } from "@pawl/core"
import type { PermissionRequest } from "@pawl/core/host"
import type { Provider } from "@pawl/core/provider"
import type { StoredError } from "@pawl/core/record"
import { UsageError } from "../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { formatModelRef } from "@pawl/provider-registry/model-ref"
import type { SummaryFacts } from "@pawl/terminal-text/summary"
import { plainLine } from "@pawl/plain-text"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { allAgents } from "@pawl/runtime/config/agents"
import { createView } from "./create-view.ts"
import { createTrustQuestion } from "./trust-question.ts"
import { askedBecause, type AskedBecauseOptions } from "@pawl/terminal-text/asked-because"
import { isCompaction } from "@pawl/runtime/prompt/compaction-command"
import { checkCompaction, compactionEnding, withoutQueue } from "./compaction-task.ts"
import { type Ending, endingOf } from "./ending.ts"
import { nextCommand } from "./next-command.ts"
import { createSubagentTracker, type SubagentTracker } from "@pawl/runtime/run/subagent-tracker"
import { createQuestions, type Questions } from "./question.ts"
import type { RunView } from "./run-view.ts"
import type { RunRecording } from "@pawl/replay/run-recording"
import { listenForStop, type Stop, stopCode, type StopReason } from "./stop.ts"
import { worktreeLines } from "./run-worktree.ts"
import type { TaskRequest } from "./task-request.ts"
import { upgradeNotice } from "@pawl/runtime/upgrade/upgrade-notice"
import { mayCost } from "@pawl/provider-registry/may-cost"
import { workWhenFree } from "@pawl/runtime/run/wait-for-owner"
import { type WatchedRun, watchRun } from "./watch-run.ts"
import type { OpenedWorktree } from "@pawl/worktree"
import { openRuntime, type Runtime } from "@pawl/runtime/open-runtime"
import type { RuntimeOptions } from "@pawl/runtime/runtime-options"

/** Runs a task, from reading the configuration to the last printed line. */
export async function runTask(request: TaskRequest, host: Host): Promise<ExitCode> {
  const stop = listenForStop(host, () => performance.now())
  const theme = createTheme(wantsColour(host.environment, host.stderr.isTerminal))
  const colors = new Map<string, string>()
  const view = createView(request, host, { theme, colorOf: (agent) => colors.get(agent) })
  const unhear = host.onPrinted((line) => view.notice(plainLine(line)))
  const unreport = host.reportExit((message) => {
    const hint = `Work without plugins: ${host.program} run --pure "…"`
    view.error({ name: "ProcessEndedError", data: { message } }, undefined, hint)
  })
  let subagents: SubagentTracker | undefined
  let reasons: AskedBecauseOptions | undefined
  let engine: Runtime["engine"] | undefined
  const because = async (permission: PermissionRequest) => reasons && askedBecause(permission, reasons)
  const callOf = async ({ id, sessionID }: PermissionRequest) =>
    (await engine?.questions(sessionID))?.find((question) => question.id === id)
  const asking =
    request.format === "text" ? { host, theme, view, stop, because, callOf, subagents: () => subagents } : undefined
  const questions = asking && createQuestions(asking)
  const askTrust = asking && createTrustQuestion(asking)
  let recording: RunRecording | undefined
  try {
    recording = await recordingOf(request, host, view)
    const interaction = {
      askTrust,
      ask: questions?.ask,
      askChoice: questions?.askChoice,
      signal: stop.signal,
      notice: (text: string) => view.notice(text),
      listen: (loaded: readonly Provider[]) => recording?.listen(loaded) ?? loaded,
    }
    const opening = openRuntime({ ...runtimeOptions(request), host, interaction })
    const runtime = await openedUnlessStopped(opening, stop)
    if (!runtime) return stopCode(stop.signal.reason as StopReason)
    try {
      const { storage, settings, scopes } = runtime
      engine = runtime.engine
      reasons = { storage, scopes, agents: allAgents(settings.config.agent) }
      for (const { name, color } of reasons.agents.values()) if (color !== undefined) colors.set(name, color)
      const know = (root: string) => (subagents = createSubagentTracker(root))
      const code = await work({ request, host, runtime, view, stop, questions, know, recording })
      return recorded(code, recording, view)
    } finally {
      await runtime.close()
    }
  } finally {
    recording?.close()
    unreport()
    unhear()
    view.end()
    stop.dispose()
  }
}

function runtimeOptions(request: TaskRequest): RuntimeOptions {
  const { directory, choice, task, model, agent, storage, trust, isPure, askPolicy, limits } = request
  const checks = { checkCompaction: () => checkCompaction(request) }
  return {
    directory,
    session: choice,
    prompt: task,
    model,
    agent,
    storage,
    trust,
    isPure,
    askPolicy,
    limits,
    ...checks,
  }
}

async function recordingOf(request: TaskRequest, host: Host, view: RunView): Promise<RunRecording | undefined> {
  if (request.record === undefined) return undefined
  const { openRunRecording } = await import("@pawl/replay/run-recording")
  return openRunRecording(runtimeOptions(request), host, { ...request.record, notice: (text) => view.notice(text) })
}

/** Reports a recording that is missing or incomplete. */
function recorded(code: ExitCode, recording: RunRecording | undefined, view: RunView): ExitCode {
  const failure = recording?.close()
  if (!recording || !failure) return code
  view.notice(
    `The recording ${recording.path} is incomplete: ${failure.message}. The session is stored, and can be replayed.`,
  )
  return code === exitCodes.success ? exitCodes.failed : code
}

/** Returns undefined if the run is stopped first. Nothing is stored yet, and a runtime that opens later is closed. */
async function openedUnlessStopped(opening: Promise<Runtime>, { signal }: Stop): Promise<Runtime | undefined> {
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>()
  const onStop = () => resolve(undefined)
  signal.addEventListener("abort", onStop, { once: true })
  if (signal.aborted) onStop()
  try {
    const runtime = await Promise.race([stopped, opening])
    if (!runtime) void opening.then((late) => late.close()).catch(() => undefined)
    return runtime
  } finally {
    signal.removeEventListener("abort", onStop)
  }
}

interface RunContext {
  readonly request: TaskRequest
  readonly host: Host
  readonly runtime: Runtime
  readonly view: RunView
  readonly stop: Stop
  /** Undefined if no user can be asked at this terminal. */
  readonly questions: Questions | undefined
  readonly recording: RunRecording | undefined
  /** Called with the session when it is known. */
  readonly know: (sessionID: string) => SubagentTracker
}

async function work(context: RunContext): Promise<ExitCode> {
  const { request, runtime, view, stop } = context
  const started = performance.now()
  if (stop.signal.aborted) return stopCode(stop.signal.reason as StopReason)
  for (const line of request.worktree ? worktreeLines(request.worktree) : []) view.notice(plainLine(line))
  for (const notice of runtime.notices) view.notice(notice)
  const session = runtime.session ?? newSession(context)
  await context.recording?.begin(runtime, session)
  const watched = watchRun(context, session)
  const unreport = context.host.reportExit((message) => {
    const isStored = runtime.session !== undefined || watched.hasStored()
    const hint = isStored ? exitHint(context, session) : undefined
    view.error({ name: "ProcessEndedError", data: { message } }, session.id, hint)
  })
  try {
    const result = await workWhenFree(() => begun(context, session), {
      ...{ storage: runtime.storage, sessionID: session.id, signal: stop.signal },
      show: (holder) => view.waiting(session.id, holder),
    })
    if (!result) return stopCode(stop.signal.reason as StopReason)
    if (!request.task && !watched.hasWorked()) throw nothingLeft(session, result)
    context.recording?.end(result)
    if (result.type === "queued") return queued(context, session, result.messageID)
    const stopped = stop.signal.aborted ? (stop.signal.reason as StopReason) : undefined
    const ending = isCompaction(runtime.command)
      ? compactionEnding(result, stopped)
      : endingOf(result, stopped, watched.refusal())
    tell(context, ending, session)
    const took = performance.now() - started
    view.end(summaryOf(context, session, { watched, took }))
    const name = worktreeName(context)
    if (name !== undefined) view.notice(plainLine(`To merge the work: ${context.host.program} worktree merge ${name}`))
    const newer = view.isForPeople ? upgradeNotice(runtime.settings, context.host) : undefined
    if (newer !== undefined) view.notice(newer)
    return ending.exitCode
  } finally {
    unreport()
    watched.end()
  }
}

/** Returns the name of the worktree of pawl in which the session works; undefined in any other directory. */
function worktreeName({ runtime }: RunContext): string | undefined {
  const { origins, worktree } = runtime.settings.trust.content
  return origins === undefined ? undefined : basename(worktree)
}

function exitHint(context: RunContext, session: Session): string {
  return `Session ${session.id} is stored. Continue without plugins: ${continueCommand(context, session, "--pure")}`
}

function newSession({ runtime, request: { choice } }: RunContext): Session {
  const title = choice.type === "new" ? choice.title : undefined
  const { directory } = runtime.settings
  return runtime.engine.draftSession({ directory, ...(title === undefined ? {} : { title }) })
}

function begun(context: RunContext, session: Session): Promise<RunResult> {
  const { request, runtime } = context
  const { engine, command, model } = runtime
  if (!request.task) return engine.resume(session.id)
  if (!isCompaction(command)) return engine.prompt(promptOf(context, session))
  const focus = command?.arguments.trim()
  return engine.compact(session.id, { model, ...(focus ? { focus } : {}) }).catch((error: unknown) => {
    throw withoutQueue(error)
  })
}

function promptOf({ request, runtime }: RunContext, session: Session) {
  const { delivery, clientID } = request
  return {
    ...runtime.promptInput(session.id),
    ...(delivery === undefined ? {} : { delivery }),
    ...(clientID === undefined ? {} : { clientID }),
  }
}

/** Ends this process's part: the process that runs the session delivers the prompt. */
function queued({ request, view }: RunContext, { id: sessionID }: Session, messageID: string): ExitCode {
  view.queued({ sessionID, messageID, mode: request.delivery ?? "queue" })
  return exitCodes.success
}

function tell({ view, host: { program } }: RunContext, { error }: Ending, { id }: Session): void {
  if (error) view.error(error, id, error.name === "ContextOverflowError" ? overflowHint(program, id) : undefined)
}

function overflowHint(program: string, id: string): string {
  return `See what fills the window: ${program} session context ${id}. Continue with a model that has a larger window (-m), or shorten the session with ${program} session fork.`
}

function summaryOf(
  context: RunContext,
  session: Session,
  { watched, took }: { readonly watched: WatchedRun; readonly took: number },
): SummaryFacts {
  const { request, host, runtime } = context
  const { model: reached } = request
  const command = continueCommand(context, session)
  const next = request.showNext ? request.showNext(command) : command
  const location = hidePasswords(runtime.storage.location)
  const { ref, variant } = watched.model() ?? { ref: runtime.model }
  const model = [formatModelRef(ref), ...(variant === undefined ? [] : [variant])].join(" ")
  const { config, layers } = runtime.settings
  const isPriceUnknown = mayCost(ref, { ...reached, environment: host.environment, config, layers })
  const facts = { totals: watched.totals(), isPriceUnknown, took, model, sessionID: session.id, location }
  // A session in memory ends with this process.
  return next === undefined || location === MEMORY ? facts : { ...facts, next }
}

function continueCommand({ request, host }: RunContext, session: Session, last?: string): string {
  const { model: reached, choice, storage } = request
  return nextCommand({
    ...{ program: host.program, choice, sessionID: session.id },
    ...{ here: host.directory, worktree: request.worktree?.name },
    directory: request.worktree ? typedDirectory(request.worktree) : session.directory,
    options: [
      ["--storage", storage === undefined ? undefined : hidePasswords(storage)],
      ["--script", reached.script],
      ["--base-url", reached.baseURL],
      ["--api-key-env", reached.keyVariable],
      ...(host.repeated ?? []),
    ],
    ...(last === undefined ? {} : { last }),
  })
}

/** Returns the directory in which the user named the worktree. */
function typedDirectory({ origin, path, directory }: OpenedWorktree): string {
  return join(origin, relative(path, directory))
}

/** Location of the storage in memory. */
const MEMORY = "memory"

function nothingLeft(session: Session, result: RunResult): UsageError {
  const error: StoredError | undefined = "error" in result ? result.error : undefined
  const because = error ? `; its last turn ended with an error: ${error.data.message}` : "."
  if (result.type === "aborted" || error?.name === "MessageAbortedError") {
    return new UsageError(
      `The last run of session ${session.id} was stopped by its user, so nothing is left to resume.`,
      'Continue with a task: pawl run -c "continue"',
    )
  }
  return new UsageError(
    `Nothing of session ${session.id} was interrupted${because}`,
    'Say what to do next: pawl run -c "…"',
  )
}
