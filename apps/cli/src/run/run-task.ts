import { hidePasswords } from "@pawl/config/hide-passwords"
import type { PermissionRequest, RunResult, Session, StoredError } from "@pawl/core"
import { UsageError } from "../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { formatModelRef } from "@pawl/provider-registry/model-ref"
import type { SummaryFacts } from "../render/summary.ts"
import { plainLine } from "../render/plain.ts"
import { createTheme, wantsColour } from "../render/theme.ts"
import { allAgents } from "@pawl/runtime/config/agents"
import { createTrustQuestion } from "../trust/trust-question.ts"
import { askedBecause, type AskedBecauseOptions } from "./asked-because.ts"
import { isCompaction } from "@pawl/runtime/prompt/compaction-command"
import { compactionEnding, withoutQueue } from "./compaction-task.ts"
import { type Ending, endingOf } from "./ending.ts"
import { createJSONView } from "./json-view.ts"
import { nextCommand } from "./next-command.ts"
import { createFamily, type Family } from "./family.ts"
import { createQuestions, type Questions } from "./question.ts"
import { quietView } from "./quiet-view.ts"
import type { RunView } from "./run-view.ts"
import type { RunRecording } from "../replay/run-recording.ts"
import { listenForStop, type Stop, stopCode, type StopReason } from "./stop.ts"
import type { TaskRequest } from "@pawl/runtime/task-request"
import { createTextView, type TextViewOptions } from "./text-view.ts"
import { upgradeNotice } from "../upgrade/upgrade-notice.ts"
import { mayCost } from "./unknown-price.ts"
import { workWhenFree } from "./wait-for-owner.ts"
import { type WatchedRun, watchRun } from "./watch-run.ts"
import { openWorkshop, type Workshop } from "@pawl/runtime/open-runtime"

/** Runs a task, from reading the configuration to the last printed line. */
export async function runTask(request: TaskRequest, host: Host): Promise<ExitCode> {
  const stop = listenForStop(host, () => performance.now())
  const theme = createTheme(wantsColour(host.environment, host.stderr.isTerminal))
  const colors = new Map<string, string>()
  const view = createView(request, host, { theme, colorOf: (agent) => colors.get(agent) })
  const unhear = host.onPrinted((line) => view.notice(plainLine(line)))
  let family: Family | undefined
  let reasons: AskedBecauseOptions | undefined
  let engine: Workshop["engine"] | undefined
  const because = async (asked: PermissionRequest) => reasons && askedBecause(asked, reasons)
  const callOf = async ({ id, sessionID }: PermissionRequest) =>
    (await engine?.questions(sessionID))?.find((question) => question.id === id)
  const asking =
    request.format === "text" ? { host, theme, view, stop, because, callOf, family: () => family } : undefined
  const questions = asking && createQuestions(asking)
  const askTrust = asking && createTrustQuestion(asking)
  let recording: RunRecording | undefined
  try {
    recording = await recordingOf(request, host, view)
    const opening = openWorkshop(request, host, {
      ...{ askTrust, ask: questions?.ask, askChoice: questions?.askChoice },
      ...{
        signal: stop.signal,
        notice: (text) => view.notice(text),
        ...(recording ? { listen: (loaded) => recording?.listen(loaded) ?? loaded } : {}),
      },
    })
    const workshop = await openedUnlessStopped(opening, stop)
    if (!workshop) return stopCode(stop.signal.reason as StopReason)
    try {
      const { storage, settings, scopes } = workshop
      engine = workshop.engine
      reasons = { storage, scopes, agents: allAgents(settings.config.agent) }
      for (const { name, color } of reasons.agents.values()) if (color !== undefined) colors.set(name, color)
      const know = (root: string) => (family = createFamily(root))
      const code = await work({ request, host, workshop, view, stop, questions, know, recording })
      return recorded(code, recording, view)
    } finally {
      await workshop.close()
    }
  } finally {
    recording?.close()
    unhear()
    view.end()
    stop.dispose()
  }
}

async function recordingOf(request: TaskRequest, host: Host, view: RunView): Promise<RunRecording | undefined> {
  if (request.record === undefined) return undefined
  const { openRunRecording } = await import("../replay/run-recording.ts")
  return openRunRecording(request, host, { ...request.record, notice: (text) => view.notice(text) })
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

/** Returns undefined if the run is stopped first. Nothing is stored yet, and a workshop that opens later is closed. */
async function openedUnlessStopped(opening: Promise<Workshop>, { signal }: Stop): Promise<Workshop | undefined> {
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>()
  const onStop = () => resolve(undefined)
  signal.addEventListener("abort", onStop, { once: true })
  if (signal.aborted) onStop()
  try {
    const workshop = await Promise.race([stopped, opening])
    if (!workshop) void opening.then((late) => late.close()).catch(() => undefined)
    return workshop
  } finally {
    signal.removeEventListener("abort", onStop)
  }
}

interface Bench {
  readonly request: TaskRequest
  readonly host: Host
  readonly workshop: Workshop
  readonly view: RunView
  readonly stop: Stop
  /** Undefined if no user can be asked at this terminal. */
  readonly questions: Questions | undefined
  readonly recording: RunRecording | undefined
  /** Called with the session when it is known. */
  readonly know: (sessionID: string) => Family
}

async function work(bench: Bench): Promise<ExitCode> {
  const { request, workshop, view, stop } = bench
  const started = performance.now()
  if (stop.signal.aborted) return stopCode(stop.signal.reason as StopReason)
  for (const notice of workshop.notices) view.notice(notice)
  const session = workshop.session ?? newSession(bench)
  await bench.recording?.begin(workshop, session)
  const watched = watchRun(bench, session)
  const unreport = bench.host.reportExit((message) => {
    const isStored = workshop.session !== undefined || watched.hasStored()
    const hint = isStored ? exitHint(bench, session) : undefined
    view.error({ name: "ProcessEndedError", data: { message } }, session.id, hint)
  })
  try {
    const result = await workWhenFree(() => begun(bench, session), {
      ...{ storage: workshop.storage, sessionID: session.id, signal: stop.signal },
      show: (holder) => view.waiting(session.id, holder),
    })
    if (!result) return stopCode(stop.signal.reason as StopReason)
    if (!request.task && !watched.hasWorked()) throw nothingLeft(session, result)
    bench.recording?.end(result)
    if (result.type === "queued") return queued(bench, session, result.messageID)
    const stopped = stop.signal.aborted ? (stop.signal.reason as StopReason) : undefined
    const ending = isCompaction(workshop.command)
      ? compactionEnding(result, stopped)
      : endingOf(result, stopped, watched.refusal())
    tell(bench, ending, session)
    const took = performance.now() - started
    view.end(summaryOf(bench, session, { watched, took }))
    const newer = view.isForPeople ? upgradeNotice(workshop.settings, bench.host) : undefined
    if (newer !== undefined) view.notice(newer)
    return ending.exitCode
  } finally {
    unreport()
    watched.end()
  }
}

function exitHint(bench: Bench, session: Session): string {
  return `Session ${session.id} is stored. Continue without plugins: ${continueCommand(bench, session, "--pure")}`
}

function newSession({ workshop, request: { choice } }: Bench): Session {
  const title = choice.type === "new" ? choice.title : undefined
  const { directory } = workshop.settings
  return workshop.engine.draftSession({ directory, ...(title === undefined ? {} : { title }) })
}

function begun(bench: Bench, session: Session): Promise<RunResult> {
  const { request, workshop } = bench
  const { engine, command, model } = workshop
  if (!request.task) return engine.resume(session.id)
  if (!isCompaction(command)) return engine.prompt(promptOf(bench, session))
  const focus = command?.arguments.trim()
  return engine.compact(session.id, { model, ...(focus ? { focus } : {}) }).catch((error: unknown) => {
    throw withoutQueue(error)
  })
}

function promptOf({ request, workshop }: Bench, session: Session) {
  const { parts, model, variant, agent, command } = workshop
  const { delivery, clientID } = request
  return {
    ...{ sessionID: session.id, parts, model },
    ...(agent === undefined ? {} : { agent }),
    ...(variant === undefined ? {} : { variant }),
    ...(delivery === undefined ? {} : { delivery }),
    ...(clientID === undefined ? {} : { clientID }),
    ...(command ? { command: { name: command.command.name, arguments: command.arguments } } : {}),
  }
}

/** Ends this process's part: the process that runs the session delivers the prompt. */
function queued({ request, view }: Bench, { id: sessionID }: Session, messageID: string): ExitCode {
  view.queued({ sessionID, messageID, mode: request.delivery ?? "queue" })
  return exitCodes.success
}

function tell({ view, host: { program } }: Bench, { error }: Ending, { id }: Session): void {
  if (error) view.error(error, id, error.name === "ContextOverflowError" ? overflowHint(program, id) : undefined)
}

function overflowHint(program: string, id: string): string {
  return `See what fills the window: ${program} session context ${id}. Continue with a model that has a larger window (-m), or shorten the session with ${program} session fork.`
}

function summaryOf(
  bench: Bench,
  session: Session,
  { watched, took }: { readonly watched: WatchedRun; readonly took: number },
): SummaryFacts {
  const { request, host, workshop } = bench
  const { model: reached } = request
  const command = continueCommand(bench, session)
  const next = request.showNext ? request.showNext(command) : command
  const location = hidePasswords(workshop.storage.location)
  const { ref, variant } = watched.model() ?? { ref: workshop.model }
  const model = [formatModelRef(ref), ...(variant === undefined ? [] : [variant])].join(" ")
  const { config, layers } = workshop.settings
  const isPriceUnknown = mayCost(ref, { ...reached, environment: host.environment, config, layers })
  const facts = { totals: watched.totals(), isPriceUnknown, took, model, sessionID: session.id, location }
  // A session in memory ends with this process.
  return next === undefined || location === MEMORY ? facts : { ...facts, next }
}

function continueCommand({ request, host }: Bench, session: Session, last?: string): string {
  const { model: reached, choice, storage } = request
  return nextCommand({
    ...{ program: host.program, choice, sessionID: session.id },
    ...{ directory: session.directory, here: host.directory },
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

function createView(
  { format, directory, showsThinking }: TaskRequest,
  { stdout, stderr, secrets }: Host,
  shown: Pick<TextViewOptions, "theme" | "colorOf">,
): RunView {
  const now = () => Date.now()
  if (format === "json") return createJSONView({ stdout, stderr, secrets, now, showsThinking })
  const options = { stdout, stderr, ...shown, secrets, directory, showsThinking }
  const view = createTextView({ ...options, now, tick: () => performance.now() })
  return stderr.isQuiet ? quietView(view) : view
}
