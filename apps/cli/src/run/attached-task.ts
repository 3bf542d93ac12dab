import type { Client, Event, Input, MessageWithParts, PermissionRequest, QuestionRequest, Session } from "@pawl/client"
import type { EngineEvent, PromptPart, RunResult } from "@pawl/core"
import type { ChoiceRequest, PermissionRequest as AskedPermission } from "@pawl/core/host"
import { isStoredAgain } from "@pawl/core/record"
import { plainLine } from "@pawl/plain-text"
import { formatModelRef } from "@pawl/provider-registry/model-ref"
import { noTotals, withPart, withSubagentPart } from "@pawl/reports/usage/run-totals"
import { attachment } from "@pawl/runtime/prompt/attachment"
import { createSubagentTracker } from "@pawl/runtime/run/subagent-tracker"
import { createSummaries } from "@pawl/runtime/run/summaries"
import type { SessionChoice } from "@pawl/runtime/session/find-session"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { UsageError } from "../arguments/usage-error.ts"
import type { ExitCode } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { createView } from "./create-view.ts"
import { endingOf } from "./ending.ts"
import { createQuestions, type Questions } from "./question.ts"
import type { RunView } from "./run-view.ts"
import { listenForStop, stopCode, type StopReason } from "./stop.ts"
import type { Task } from "./task.ts"

/** A task for the sessions of a server. */
export interface AttachedRequest {
  readonly client: Client
  /** Address of the server, as users know it. */
  readonly address: string
  /** Absolute. */
  readonly directory: string
  readonly choice: SessionChoice
  readonly task: Task
  /** Name of the slash command whose arguments are the task. */
  readonly command?: string | undefined
  /** Paths of files to attach, absolute or relative to the directory of the host. */
  readonly files: readonly string[]
  readonly model?: { readonly providerID: string; readonly modelID: string } | undefined
  readonly agent?: string | undefined
  readonly variant?: string | undefined
  readonly format: "text" | "json"
  readonly showsThinking?: boolean | undefined
}

/** Runs a task through a server, and shows it as `pawl run` does. */
export async function runAttached(request: AttachedRequest, host: Host): Promise<ExitCode> {
  const { client, directory } = request
  const stop = listenForStop(host, () => performance.now())
  const theme = createTheme(wantsColour(host.environment, host.stderr.isTerminal))
  const view = createView(request, host, { theme, colorOf: () => undefined })
  const closing = new AbortController()
  try {
    const session = await chosenSession(request)
    const subagents = createSubagentTracker(session.id)
    const callOf = async ({ id, sessionID }: AskedPermission) => {
      const open = await client.call("session.questions", { path: { sessionID } }, { directory })
      return open.find((question) => question.id === id)
    }
    const asking = { host, theme, view, stop, callOf, subagents: () => subagents }
    const questions = request.format === "text" ? createQuestions(asking) : undefined
    const watched = watchServer({ request, session, view, questions, subagents, signal: closing.signal })
    await watched.connected
    const abort = () => {
      if (String(stop.signal.reason).startsWith("SIG")) view.notice("stopping…")
      const ended = client.call("session.abort", { path: { sessionID: session.id } }, { directory })
      ended.catch((error: Error) => view.notice(`The run could not be ended: ${error.message}`))
    }
    stop.signal.addEventListener("abort", abort, { once: true })
    if (stop.signal.aborted) return stopCode(stop.signal.reason as StopReason)
    const started = performance.now()
    const answer = await prompted(request, session)
    await watched.idle()
    const stopped = stop.signal.aborted ? (stop.signal.reason as StopReason) : undefined
    const ending = endingOf(resultOf(answer), stopped)
    if (ending.error) view.error(ending.error, session.id)
    view.end({
      totals: watched.totals(),
      took: performance.now() - started,
      model: "modelID" in answer.info ? formatModelRef(answer.info) : "",
      sessionID: session.id,
      location: request.address,
      next: `${host.program} run --attach=${request.address} -s ${session.id} "…"`,
    })
    return ending.exitCode
  } finally {
    closing.abort()
    view.end()
    stop.dispose()
  }
}

async function chosenSession({ client, choice, directory }: AttachedRequest): Promise<Session> {
  const options = { directory }
  if (choice.type === "id") return client.call("session.get", { path: { sessionID: choice.id } }, options)
  if (choice.type === "new") {
    const title = choice.title === undefined ? {} : { title: choice.title }
    return client.call("session.create", { body: title }, options)
  }
  const [newest] = await client.call("session.list", { query: { roots: "true", limit: 1 } }, options)
  if (newest) return newest
  throw new UsageError(`The server has no session of ${directory}.`, 'Begin one: pawl run --attach "…"')
}

async function prompted(request: AttachedRequest, { id: sessionID }: Session): Promise<MessageWithParts> {
  const { client, directory, task, files, model, agent, variant } = request
  const [path, options] = [{ sessionID }, { directory }]
  const chosen = { ...(agent === undefined ? {} : { agent }), ...(variant === undefined ? {} : { variant }) }
  const command = await requestedCommand(request)
  if (command) {
    if (files.length > 0) throw new UsageError("-f cannot be used with a slash command and --attach.")
    const body = {
      ...command,
      ...(agent === undefined ? {} : { agent }),
      ...(model ? { model: formatModelRef(model) } : {}),
    }
    return client.call("session.command", { path, body }, options)
  }
  const attached = (await Promise.all(files.map((file) => attachment(file, directory)))).flat()
  const parts: SentPart[] = [{ type: "text", text: task.text }, ...attached.flatMap((part) => sentParts(part))]
  return client.call("session.prompt", { path, body: { ...chosen, parts, ...(model ? { model } : {}) } }, options)
}

type SentPart = Input<"session.prompt">["body"]["parts"][number]

/** Leaves out references to text files: their text is sent as a part of its own, and the server may not see the file. */
function sentParts(part: PromptPart): SentPart[] {
  if (part.type === "text") return [{ ...part }]
  return part.type === "file" && part.url.startsWith("data:") ? [{ ...part }] : []
}

async function requestedCommand({ client, directory, command, task }: AttachedRequest) {
  if (command !== undefined) return { command, arguments: task.text }
  const [, name = "", rest = ""] = /^\/(\S+)\s*([^]*)$/.exec(task.typed === "" ? "" : task.text) ?? []
  if (name === "") return undefined
  const commands = await client.call("command.list", {}, { directory })
  return commands.some((each) => each.name === name) ? { command: name, arguments: rest } : undefined
}

function resultOf(answer: MessageWithParts): RunResult {
  const { info } = answer
  const error = info.role === "assistant" ? info.error : undefined
  if (error?.name === "MessageAbortedError") return { type: "aborted" }
  if (error) return { type: "failed", error } as unknown as RunResult
  return { type: "answered", answer } as unknown as RunResult
}

interface WatchedServer {
  /** Resolves when no event will be missed. Rejects if the server refuses the stream. */
  readonly connected: Promise<void>
  /** Resolves when the end of the run was shown, or some time after it should have been. */
  readonly idle: () => Promise<void>
  readonly totals: () => typeof noTotals
}

interface WatchOptions {
  readonly request: AttachedRequest
  readonly session: Session
  readonly view: RunView
  readonly questions: Questions | undefined
  readonly subagents: ReturnType<typeof createSubagentTracker>
  readonly signal: AbortSignal
}

const IDLE_WAIT_MS = 5000

/** Shows and counts the events of a session and of those below it, and answers their questions. */
function watchServer({ request, session, view, questions, subagents, signal }: WatchOptions): WatchedServer {
  const { client, directory } = request
  const known = new Set<string>([session.id])
  const summaries = createSummaries()
  const asked = new Map<string, AbortController>()
  const [opened, idle] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let totals = noTotals
  // The server of the client reports a working session again and again; the end follows the answer.
  let hasWorked = false

  async function answer(event: Extract<Event, { type: "permission.asked" | "question.asked" }>, ask: AbortSignal) {
    const path = { requestID: event.properties.id }
    if (event.type === "permission.asked") {
      const reply = await permissionReply(event.properties, ask)
      if (!ask.aborted) await client.call("permission.reply", { path, body: reply }, { directory })
      return
    }
    const answers = await questions?.askChoice(asChoice(event.properties), ask)
    if (ask.aborted) return
    if (answers) {
      const labels = answers.map((each) => [...each])
      await client.call("question.reply", { path, body: { answers: labels } }, { directory })
    } else await client.call("question.reject", { path }, { directory })
  }

  async function permissionReply(properties: PermissionRequest, ask: AbortSignal) {
    const said = await questions?.ask(asPermission(properties), ask)
    if (said === undefined) {
      view.notice(
        plainLine(`${properties.permission} ${properties.patterns.join(", ")} is denied: no user can be asked here.`),
      )
      return { reply: "reject" as const }
    }
    if (typeof said === "string") return { reply: said }
    const { reply, message, patterns } = said
    return { reply, ...(message ? { message } : {}), ...(patterns ? { patterns: [...patterns] } : {}) }
  }

  function follow(event: Event): void {
    const { properties } = event
    const sessionID = "sessionID" in properties ? properties.sessionID : undefined
    if (event.type === "session.created" && known.has(event.properties.info.parentID ?? ""))
      known.add(event.properties.sessionID)
    if (typeof sessionID !== "string" || !known.has(sessionID)) return
    if (event.type === "permission.asked" || event.type === "question.asked") {
      const controller = new AbortController()
      asked.set(event.properties.id, controller)
      answer(event, AbortSignal.any([controller.signal, signal])).catch((error: Error) =>
        view.notice(plainLine(error.message)),
      )
      return
    }
    if ("requestID" in properties) asked.get(String(properties.requestID))?.abort()
    show(event as unknown as EngineEvent, sessionID)
    if (sessionID !== session.id) return
    if (event.type === "session.status" && event.properties.status.type === "busy") hasWorked = true
    if (event.type === "session.idle" && hasWorked) idle.resolve()
  }

  /** OpenCode's events have the names and fields of the engine's. */
  function show(event: EngineEvent, sessionID: string): void {
    if (event.type === "message.part.updated" && isStoredAgain(event.properties.part)) return
    subagents.follow(event)
    const subagent = subagents.subagentOf(sessionID)
    if (subagent) {
      if (event.type === "message.part.updated") totals = withSubagentPart(totals, event.properties.part)
      return view.handle(event, subagent)
    }
    summaries.follow(event)
    if (event.type === "message.part.updated") {
      const { part } = event.properties
      const isSummary = summaries.has(part.messageID)
      totals = withPart(totals, part, isSummary)
      if (isSummary && part.type === "text") return
    }
    view.handle(event)
  }

  async function read(): Promise<void> {
    const onReconnect = (error: unknown) =>
      view.notice(`Connecting again: ${error instanceof Error ? error.message : ""}`)
    for await (const { event } of client.events({ signal, onConnected: opened.resolve, onReconnect })) {
      if (event.type === "server.resync") view.notice("Some of what happened is not shown: the connection was cut.")
      else follow(event)
    }
  }
  read().catch((error: unknown) => opened.reject(error))
  return {
    connected: opened.promise,
    idle: async () => {
      const late = AbortSignal.timeout(IDLE_WAIT_MS)
      const waited = new Promise<void>((resolve) => late.addEventListener("abort", () => resolve(), { once: true }))
      await Promise.race([idle.promise, waited])
    },
    totals: () => totals,
  }
}

function asPermission(request: PermissionRequest): AskedPermission {
  return { ...request, rootSessionID: request.sessionID } as unknown as AskedPermission
}

function asChoice(request: QuestionRequest): ChoiceRequest {
  return { ...request, rootSessionID: request.sessionID } as unknown as ChoiceRequest
}
