import { hostname } from "node:os"
import { type Agent, buildAgent, builtinAgents, findAgent } from "./agent.ts"
import { type Deadlines, defaultDeadlines } from "./deadlines.ts"
import { NotFoundError, type HookError } from "./errors.ts"
import { createEventBus, type EventListener } from "./events.ts"
import { type HookReports, loadHooks } from "./hooks/hooks.ts"
import type { PluginEntry } from "./hooks/plugin.ts"
import { createIDSource, type IDSource, type SessionID } from "./ids.ts"
import type { AskPermission } from "./permission/ask.ts"
import type { PermissionScope } from "./permission/rules.ts"
import { createModelFinder } from "./provider/find-model.ts"
import type { Provider } from "./provider/model.ts"
import { admit, type PromptInput, type PromptPart } from "./session/admit.ts"
import type { ContextReport } from "./session/context-report.ts"
import type { KeepOutput } from "./session/long-output.ts"
import type { ForkInput } from "./session/fork.ts"
import type { ModelRef, Session } from "./session/message.ts"
import { createRemoteReader } from "./context/instructions/remote.ts"
import type { ResizeImage } from "./context/media/resize-image.ts"
import type { RepetitionSettings } from "./context/repetition/response.ts"
import { askCompaction } from "./session/ask-compaction.ts"
import { contextReport } from "./session/context-report.ts"
import { createPins } from "./session/pins.ts"
import { createArrangement } from "./context/compaction/arrange.ts"
import { createSelectPrunable } from "./context/prune/select-prunable.ts"
import type { CompactionSettings } from "./context/tokens/compaction-settings.ts"
import { createMeasure } from "./context/tokens/measure.ts"
import { createModelMessages, isMedia } from "./session/model-messages.ts"
import { createProjectIDs } from "./session/project-id.ts"
import type { RemoveOptions } from "./session/remove.ts"
import { createRuns, type RunResult } from "./session/runs.ts"
import { type CreateSessionInput, createSessions, type SessionUpdate } from "./session/sessions.ts"
import { createTurns } from "./session/turns.ts"
import type { SessionQuery, Storage } from "./storage/storage.ts"
import { childEnvironment } from "./tool/environment.ts"
import type { Tool } from "./tool/tool.ts"
import { defaultOutputLimits, type OutputLimits } from "./tool/truncate.ts"

export interface EngineOptions {
  /** Stays the caller's: closing the engine leaves it open. */
  readonly storage: Storage
  readonly providers: readonly Provider[]
  readonly tools?: readonly Tool[]
  /** Added to the built-in agents `build` and `plan`, or replacing them. */
  readonly agents?: readonly Agent[]
  readonly plugins?: readonly PluginEntry[]
  /** Rules from the configuration, a scope for each source: a `deny` of any scope holds, else the last that speaks. */
  readonly permission?: readonly PermissionScope[]
  /** Absent: what would have to be asked is refused, and the run stops. */
  readonly ask?: AskPermission
  /** The model of prompts that name none. */
  readonly model?: ModelRef
  /** Instructions besides the project's own, in their order: absolute paths of files, and http(s) addresses. */
  readonly instructionFiles?: readonly string[]
  readonly keepOutput?: KeepOutput
  /** How full a context may get, and what is done about it. */
  readonly compaction?: CompactionSettings
  /** Draws images smaller that are too large for a provider; absent: they are left out. */
  readonly resizeImage?: ResizeImage
  /** What is done when the model repeats itself. */
  readonly repetition?: RepetitionSettings
  readonly deadlines?: Partial<Deadlines>
  readonly outputLimits?: Partial<OutputLimits>
  /** For child processes of tools. Absent: what is harmless of this process's own. */
  readonly environment?: Readonly<Record<string, string>>
  /** Epoch milliseconds. */
  readonly now?: () => number
  readonly ids?: IDSource
  /** 0 to 1, for the jitter of delays. */
  readonly random?: () => number
}

export interface Engine extends AsyncDisposable {
  createSession(input: CreateSessionInput): Promise<Session>
  /** Rejects with NotFoundError where there is none; the methods below do the same. */
  getSession(id: SessionID): Promise<Session>
  /** Newest first. */
  listSessions(query?: SessionQuery): AsyncIterable<Session>
  updateSession(id: SessionID, changes: SessionUpdate): Promise<Session>
  /** Those directly below it, newest first. */
  children(id: SessionID): Promise<Session[]>
  /**
   * A new session with copies of the messages before `messageID`, and of the parts before `partID` in it; of all where
   * neither is given. Its title is the source's and a number. Blobs are shared, sessions below the source stay there.
   */
  forkSession(input: ForkInput): Promise<Session>
  /**
   * The session and all below it, when their runs have been ended. Rejects with SessionBusyError, and removes nothing,
   * while another process works on one of them.
   */
  removeSession(id: SessionID, options?: RemoveOptions): Promise<void>
  /**
   * Stores the prompt and works until it is answered. During a run of the same session the prompt joins it and is seen
   * at its next step. Rejects before anything is stored when the session, agent or model is not known, or when another
   * process works on the session; rejects later only when the storage fails.
   */
  prompt(input: PromptRequest): Promise<RunResult>
  /**
   * Replaces old messages by a summary, whatever the size of the context; `focus` says in the user's words what it is
   * to dwell on. Joins a compaction that is under way, or waits for the step that is. Resolves with type `compacted`,
   * or as the run that it joined; when that was aborted before it was made, nothing of it is left.
   */
  compact(sessionID: SessionID, options?: { readonly focus?: string; readonly model?: ModelRef }): Promise<RunResult>
  /**
   * Adds a note that stays in the context whatever is compacted: the model reads it with the user's next message, and
   * after each compaction. Rejects with RangeError for one that is empty or too long.
   */
  pin(sessionID: SessionID, text: string): Promise<Session>
  /** What the model has read of it stays until the next compaction. Rejects with NotFoundError for an unknown note. */
  unpin(sessionID: SessionID, pinID: string): Promise<Session>
  /** What the next request would hold, for this model or the session's. Sends nothing, runs no tool, stores nothing. */
  context(sessionID: SessionID, options?: { readonly model?: ModelRef }): Promise<ContextReport>
  /** Goes on with what is stored: after a crash, or when `prompt` was called elsewhere. */
  resume(sessionID: SessionID): Promise<RunResult>
  /** Ends the session's run, its tools and their processes; resolves when all is settled and stored. */
  abort(sessionID: SessionID): Promise<void>
  /** Returns the function that ends the subscription. */
  subscribe(listener: EventListener): () => void
  /** Aborts all runs, begins none any more, and disposes the plugins. */
  close(): Promise<void>
}

export type PromptRequest = Omit<PromptInput, "agent" | "model"> & {
  readonly agent?: string
  readonly model?: ModelRef
}

export async function createEngine(options: EngineOptions): Promise<Engine> {
  const now = options.now ?? Date.now
  const ids = options.ids ?? createIDSource(now)
  const deadlines = { ...defaultDeadlines, ...options.deadlines }
  if (!(deadlines.lease > 0)) throw new RangeError(`deadlines.lease is ${deadlines.lease}: it must be more than 0 ms.`)
  const bus = createEventBus(
    () => ids.other("evt"),
    (error) => process.emitWarning(error instanceof Error ? error : String(error)),
  )
  // Plugins start before anyone can listen: what fails then is told to the first who does.
  const startFailures: HookError[] = []
  let reportHook: HookReports["failed"] = (error) => void startFailures.push(error)
  const hooks = await loadHooks(options.plugins ?? [], deadlines, {
    failed: (error, sessionID) => reportHook(error, sessionID),
    disabled(plugin, sessionID) {
      const message = `Plugin "${plugin}" failed three times in a row and is disabled for this session.`
      bus.publish("plugin.disabled", { sessionID, plugin, message })
    },
  })
  reportHook = ({ plugin, hook, message }, sessionID) => {
    bus.publish("plugin.error", { plugin, hook, message, ...(sessionID ? { sessionID } : {}) })
  }
  if (hooks.has("event")) {
    bus.subscribe((event) => {
      // A handler that fails would be told of its own failure for ever.
      if (event.type !== "plugin.error") void hooks.observe("event", { event })
    })
  }

  const { storage } = options
  const agents = new Map([...builtinAgents, ...(options.agents ?? [])].map((agent) => [agent.name, agent]))
  const findModel = createModelFinder(options.providers)
  const environment = options.environment ?? childEnvironment(process.env)
  const projects = createProjectIDs({ storage, bus, now, environment })
  const deps = {
    ...{ storage, hooks, bus, ids, now, deadlines, agents, findModel, environment },
    inTurn: createTurns(),
    onFirstAnswer: (session: Session) => projects.find(session),
    ask: options.ask,
    keepOutput: options.keepOutput,
    permission: options.permission ?? [],
    instructionFiles: options.instructionFiles ?? [],
    readRemote: createRemoteReader(),
    tools: options.tools ?? [],
    outputLimits: { ...defaultOutputLimits, ...options.outputLimits },
    random: options.random ?? Math.random,
    platform: process.platform,
    modelMessages: createModelMessages(),
    arrange: createArrangement(),
    measure: createMeasure(),
    selectPrunable: createSelectPrunable(),
    contextSettings: options.compaction ?? {},
    repetition: options.repetition ?? {},
    resizeImage: options.resizeImage,
    owner: `${hostname()}:${process.pid}:${ids.other("own")}`,
  }
  const runs = createRuns(deps)
  const sessions = createSessions({
    ...deps,
    isRunning: (id) => runs.has(id),
    knownProjectID: (directory) => projects.known(directory),
  })

  const pins = createPins({ ...deps, isRunning: (id) => runs.has(id), getSession: (id) => sessions.get(id) })

  const engine: Engine = {
    createSession: (input) => sessions.create(input),
    getSession: (id) => sessions.get(id),
    listSessions: (query) => sessions.list(query),
    updateSession: (id, changes) => sessions.update(id, changes),
    children: (id) => sessions.children(id),
    // Most runs need neither, and a start is to be short.
    async forkSession({ sessionID, ...point }) {
      const { forkSession } = await import("./session/fork.ts")
      return forkSession(deps, await sessions.get(sessionID), point)
    },
    async removeSession(id, how) {
      const { removeSession } = await import("./session/remove.ts")
      return removeSession({ ...deps, runs }, await sessions.get(id), how)
    },
    async prompt(input) {
      if (!input.parts.some((part) => reachesModel(part))) {
        throw new TypeError("The prompt is empty: it needs a text or a file.")
      }
      const session = await sessions.get(input.sessionID)
      const agent = findAgent(agents, input.agent ?? session.agent ?? buildAgent.name)
      const model = input.model ?? agent.model ?? session.model ?? options.model
      if (!model) throw new NotFoundError("No model is chosen: name one in the prompt or in the engine's options.")
      await findModel(model)
      const prompt = { ...input, agent: agent.name, model }
      return runs.start(session.id, (run) => admit(deps, prompt, run))
    },
    async compact(sessionID, { focus, model: chosen } = {}) {
      const session = await sessions.get(sessionID)
      const agent = findAgent(agents, session.agent ?? buildAgent.name)
      const model = chosen ?? agent.model ?? session.model ?? options.model
      if (!model) throw new NotFoundError("No model is chosen: name one, or set one in the engine's options.")
      await findModel(model)
      const prepare = () => askCompaction(deps, session, { agent: agent.name, model, focus })
      return runs.start(sessionID, prepare, "compaction")
    },
    pin: (sessionID, text) => pins.add(sessionID, text),
    unpin: (sessionID, pinID) => pins.remove(sessionID, pinID),
    async context(sessionID, { model: chosen } = {}) {
      const session = await sessions.get(sessionID)
      const agent = findAgent(agents, session.agent ?? buildAgent.name)
      const model = chosen ?? agent.model ?? session.model ?? options.model
      if (!model) throw new NotFoundError("No model is chosen: name one, or set one in the engine's options.")
      return contextReport(deps, sessionID, { agent, model })
    },
    async resume(sessionID) {
      await sessions.get(sessionID)
      return runs.start(sessionID)
    },
    abort: (sessionID) => runs.abort(sessionID),
    subscribe(listener) {
      const unsubscribe = bus.subscribe(listener)
      for (const failure of startFailures.splice(0)) reportHook(failure)
      return unsubscribe
    },
    async close() {
      await Promise.all([runs.close(), projects.close()])
      await hooks.observe("dispose", {})
    },
    [Symbol.asyncDispose]: () => engine.close(),
  }
  return engine
}

function reachesModel(part: PromptPart): boolean {
  return part.type === "file" ? isMedia(part) : part.text.trim() !== "" && !part.ignored
}
