import { hidePasswords } from "@pawl/config/hide-passwords"
import type { EngineEvent, PermissionRequest, RunResult, Session, StoredError } from "@pawl/core"
import { UsageError } from "../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { formatModelRef } from "../model/model-ref.ts"
import { pluginNotice } from "../plugins/plugin-problems.ts"
import { plural } from "../render/quantity.ts"
import type { SummaryFacts } from "../render/summary.ts"
import { createTheme, wantsColour } from "../render/theme.ts"
import { allAgents } from "../settings/agents.ts"
import { createTrustQuestion } from "../trust/trust-question.ts"
import { askedBecause, type AskedBecauseOptions } from "./asked-because.ts"
import { type Ending, endingOf } from "./ending.ts"
import { createJSONView } from "./json-view.ts"
import { nextCommand } from "./next-command.ts"
import { createFamily, type Family } from "./family.ts"
import { createQuestions, type Questions } from "./question.ts"
import { questionNotice } from "./question-notices.ts"
import { createRefusals } from "./refusals.ts"
import type { RunView } from "./run-view.ts"
import { createSummaries } from "./summaries.ts"
import { listenForStop, type Stop, stopCode, type StopReason } from "./stop.ts"
import type { TaskRequest } from "./task-request.ts"
import { createTextView } from "./text-view.ts"
import { noTotals, withPart, withSubagentPart } from "./totals.ts"
import { openWorkshop, type Workshop } from "./workshop.ts"

/** Does a task from the first look at the configuration to the last line printed. */
export async function runTask(request: TaskRequest, host: Host): Promise<ExitCode> {
  const stop = listenForStop(host, () => performance.now())
  const theme = createTheme(wantsColour(host.environment, host.stderr.isTerminal))
  const view = createView(request, host, theme)
  let family: Family | undefined
  let reasons: AskedBecauseOptions | undefined
  const because = async (asked: PermissionRequest) => reasons && askedBecause(asked, reasons)
  const asking = request.format === "text" ? { host, theme, view, stop, because, family: () => family } : undefined
  const questions = asking && createQuestions(asking)
  const askTrust = asking && createTrustQuestion(asking)
  try {
    const opening = openWorkshop(request, host, {
      ...{ askTrust, ask: questions?.ask, askChoice: questions?.askChoice },
      ...{ signal: stop.signal, notice: (text) => view.notice(text) },
    })
    const workshop = await openedUnlessStopped(opening, stop)
    if (!workshop) return stopCode(stop.signal.reason as StopReason)
    try {
      const { storage, settings, scopes } = workshop
      reasons = { storage, scopes, agents: allAgents(settings.config.agent) }
      const know = (root: string) => (family = createFamily(root))
      return await work({ request, host, workshop, view, stop, questions, know })
    } finally {
      await workshop.close()
    }
  } finally {
    view.end()
    stop.dispose()
  }
}

/** Undefined once the run is to end: nothing is stored yet, and what opens later is closed. */
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
  /** Absent where nobody here can be asked. */
  readonly questions: Questions | undefined
  /** Called with the session once it is known. */
  readonly know: (sessionID: string) => Family
}

async function work(bench: Bench): Promise<ExitCode> {
  const { request, workshop, view, stop } = bench
  const started = performance.now()
  if (stop.signal.aborted) return stopCode(stop.signal.reason as StopReason)
  for (const notice of workshop.notices) view.notice(notice)
  const session = workshop.session ?? (await newSession(bench))
  const watched = watch(bench, session)
  try {
    const result = await (request.task
      ? workshop.engine.prompt(promptOf(bench, session))
      : workshop.engine.resume(session.id))
    if (!request.task && !watched.hasWorked()) throw nothingLeft(session, result)
    if (result.type === "queued") return queued(bench, session, result.messageID)
    const stopped = stop.signal.aborted ? (stop.signal.reason as StopReason) : undefined
    const ending = endingOf(result, stopped, watched.refusal())
    tell(bench, ending, session)
    view.end(summaryOf(bench, session, watched.totals(), performance.now() - started))
    return ending.exitCode
  } finally {
    watched.end()
  }
}

function newSession({ workshop, request: { choice } }: Bench): Promise<Session> {
  const title = choice.type === "new" ? choice.title : undefined
  const { directory } = workshop.settings
  return workshop.engine.createSession({ directory, ...(title === undefined ? {} : { title }) })
}

function promptOf({ request, workshop }: Bench, session: Session) {
  const { parts, model, agent, command } = workshop
  const { delivery, clientID } = request
  return {
    ...{ sessionID: session.id, parts, model },
    ...(agent === undefined ? {} : { agent }),
    ...(delivery === undefined ? {} : { delivery }),
    ...(clientID === undefined ? {} : { clientID }),
    ...(command ? { command: { name: command.command.name, arguments: command.arguments } } : {}),
  }
}

/** The process that works on the session does the rest. */
function queued({ request, view }: Bench, { id: sessionID }: Session, messageID: string): ExitCode {
  view.queued({ sessionID, messageID, mode: request.delivery ?? "queue" })
  return exitCodes.success
}

/** Shows and counts what happens in a session, and ends its run when it is to stop. */
function watch({ workshop, view, stop, host, questions, know }: Bench, session: Session) {
  const { engine } = workshop
  let totals = noTotals
  let hasWorked = false
  const family = know(session.id)
  const refusals = createRefusals()
  const notices = {
    ...{ program: host.program, family, isAskedHere: questions !== undefined },
    isAnsweredHere: (id: string) => questions?.isAnsweredHere(id) ?? false,
  }
  const summaries = createSummaries()
  const abort = () => void engine.abort(session.id)
  const onStop = () => {
    if (String(stop.signal.reason).startsWith("SIG")) view.notice("stopping…")
    abort()
  }
  stop.signal.addEventListener("abort", onStop, { once: true })
  const unsubscribe = engine.subscribe((event) => {
    const told = pluginNotice(event)
    if (told !== undefined) return view.notice(told)
    const { sessionID } = "sessionID" in event.properties ? event.properties : {}
    if (sessionID === undefined) return
    family.follow(event)
    questions?.follow(event)
    const notice = view.isForPeople ? questionNotice(event, notices) : undefined
    if (notice !== undefined) view.notice(notice)
    const subagent = family.subagentOf(sessionID)
    if (subagent) {
      refusals.follow(event)
      if (event.type === "message.part.updated") totals = withSubagentPart(totals, event.properties.part)
      view.handle(event, subagent)
      return
    }
    summaries.follow(event)
    if (event.type === "message.part.updated") {
      const { part } = event.properties
      const isSummary = summaries.has(part.messageID)
      totals = withPart(totals, part, isSummary)
      // It is written for the model. What it cost is counted all the same.
      if (isSummary && part.type === "text") return
      hasWorked ||= event.properties.part.type === "step-start"
    }
    if (event.type === "storage.damaged") view.notice(damageNotice(event.properties.problems.length, host))
    if (isAnswer(event)) workshop.follow()
    // The wish to stop may have come just before there was anything to stop.
    if (event.type === "session.status" && event.properties.status.type === "busy" && stop.signal.aborted) abort()
    view.handle(event)
  })
  return {
    totals: () => totals,
    refusal: () => (questions ? undefined : refusals.first()),
    hasWorked: () => hasWorked,
    end() {
      unsubscribe()
      stop.signal.removeEventListener("abort", onStop)
    },
  }
}

/** The request has left: what is done now delays nothing. */
function isAnswer(event: EngineEvent): boolean {
  if (event.type === "message.part.delta") return true
  return event.type === "message.part.updated" && ["tool", "step-finish"].includes(event.properties.part.type)
}

function tell({ view, host: { program } }: Bench, { error, notice }: Ending, { id }: Session): void {
  if (notice !== undefined) view.notice(notice)
  if (error) view.error(error, id, error.name === "ContextOverflowError" ? overflowHint(program, id) : undefined)
}

function overflowHint(program: string, id: string): string {
  return `What fills the window: ${program} session context ${id}. A model with a larger one goes on with the session (-m), and ${program} session fork makes a shorter one of it.`
}

function summaryOf({ request, host, workshop }: Bench, session: Session, totals: SummaryFacts["totals"], took: number) {
  const { model, choice, storage } = request
  const command = nextCommand({
    ...{ program: host.program, choice, sessionID: session.id },
    ...{ directory: session.directory, here: host.directory },
    options: [
      ["--storage", storage === undefined ? undefined : hidePasswords(storage)],
      ["--script", model.script],
      ["--base-url", model.baseURL],
      ["--api-key-env", model.keyVariable],
    ],
  })
  const next = request.showNext ? request.showNext(command) : command
  const location = hidePasswords(workshop.storage.location)
  const facts: SummaryFacts = { totals, took, model: formatModelRef(workshop.model), sessionID: session.id, location }
  return next === undefined ? facts : { ...facts, next }
}

function damageNotice(count: number, { program }: Host): string {
  const what = plural(count, "stored record")
  return `${what} of this session cannot be read, left out here; which ones: ${program} storage verify`
}

function nothingLeft(session: Session, result: RunResult): UsageError {
  const error: StoredError | undefined = "error" in result ? result.error : undefined
  const because = error ? `; its last turn ended with an error: ${error.data.message}` : "."
  return new UsageError(
    `Nothing of session ${session.id} was interrupted${because}`,
    'Say what to do next: pawl run -c "…"',
  )
}

function createView(
  { format, directory }: TaskRequest,
  { stdout, stderr, secrets }: Host,
  theme: ReturnType<typeof createTheme>,
): RunView {
  const now = () => Date.now()
  if (format === "json") return createJSONView({ stdout, stderr, secrets, now })
  return createTextView({ stdout, stderr, theme, secrets, directory, now, tick: () => performance.now() })
}
