import { hostname } from "node:os"
import { buildAgent, chooseAgent, findAgent } from "./agent.ts"
import { type Deadlines, defaultDeadlines } from "./deadlines.ts"
import { NotFoundError } from "./errors.ts"
import { createEventBus, type EventListener } from "./events.ts"
import { connectPlugins } from "./hooks/connect-plugins.ts"
import type { PluginControl } from "./hooks/plugin-control.ts"
import type { PluginEntry } from "./hooks/plugin.ts"
import { createIDSource, type IDSource, type SessionID } from "./ids.ts"
import { type AnswerInput, answerQuestion } from "./permission/answer.ts"
import type { AskChoice, AskPermission, AskPolicy } from "./permission/ask.ts"
import { authorize } from "./permission/authorize.ts"
import { createQuestionDesk } from "./permission/desk.ts"
import { openQuestions, type Question } from "./permission/questions.ts"
import { admit, type PromptInput, type PromptPart } from "./session/admit.ts"
import type { ContextReport } from "./session/context-report.ts"
import type { KeepOutput } from "./session/long-output.ts"
import type { ForkInput } from "./session/fork.ts"
import type { MessageWithParts, ModelRef, Session } from "./session/message.ts"
import { createRemoteReader } from "./context/instructions/remote.ts"
import type { ResizeImage } from "./context/media/resize-image.ts"
import type { RepetitionSettings } from "./context/repetition/response.ts"
import { askCompaction } from "./session/ask-compaction.ts"
import { queuedPrompts, type WaitingPrompt, withdraw } from "./session/deliver.ts"
import type { RunLimits } from "./session/limits.ts"
import { contextReport } from "./session/context-report.ts"
import { createPins } from "./session/pins.ts"
import { createArrangement } from "./context/compaction/arrange.ts"
import { createSelectPrunable } from "./context/prune/select-prunable.ts"
import type { CompactionSettings } from "./context/tokens/compaction-settings.ts"
import { createMeasure } from "./context/tokens/measure.ts"
import { createModelMessages, isMedia } from "./session/model-messages.ts"
import { createRoots } from "./session/roots.ts"
import { storeOnly } from "./session/store-only.ts"
import { createProjectIDs } from "./session/project-id.ts"
import type { RemoveOptions } from "./session/remove.ts"
import type { RunResult } from "./session/run-result.ts"
import { createRuns, type StartOptions } from "./session/runs.ts"
import type { DeliveryMode } from "./session/waiting.ts"
import { type CreateSessionInput, createSessions, type SessionUpdate } from "./session/sessions.ts"
import { createTitles } from "./session/titles.ts"
import { createTurns } from "./session/turns.ts"
import { createSettings, type EngineSettings, type Settings } from "./settings.ts"
import type { MessageQuery, SessionQuery, Storage } from "./storage/storage.ts"
import { childEnvironment } from "./tool/environment.ts"
import { defaultOutputLimits, type OutputLimits } from "./tool/truncate.ts"

export interface EngineOptions extends EngineSettings {
  /** Stays the caller's: closing the engine leaves it open. */
  readonly storage: Storage
  readonly plugins?: readonly PluginEntry[]
  /** Absent: what would have to be asked goes by `askPolicy`. */
  readonly ask?: AskPermission
  /** Answers what tools ask, such as which of several ways to go. Absent: it goes by `askPolicy`. */
  readonly askChoice?: AskChoice
  /**
   * What becomes of a question where there is no callback for it. `deny`, which is also meant by absence: a permission
   * is refused at once and the run stops, and a tool that asks is told that nobody is there. `wait`: another process may
   * answer, until `deadlines.question` has passed.
   */
  readonly askPolicy?: AskPolicy
  readonly keepOutput?: KeepOutput
  /** How full a context may get, and what is done about it. */
  readonly compaction?: CompactionSettings
  /** Draws images smaller that are too large for a provider; absent: they are left out. */
  readonly resizeImage?: ResizeImage
  /** What is done when the model repeats itself. */
  readonly repetition?: RepetitionSettings
  /** How many sessions may work below each other; absent: 1, so that subagents have none of their own. */
  readonly subagentDepth?: number
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
   * at its next step. Rejects before anything is stored when the session, agent or model is not known, when the agent is
   * not for users to choose, or when another process works on the session; rejects later only when the storage fails.
   *
   * With `delivery` it may be sent to a session at work, in whatever process: it is stored to wait, and the run's owner
   * delivers it exactly once. Where that is another process this resolves with `queued` once the prompt is durable;
   * else with the end of the run, which answers it as well.
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
  /** The prompts that wait to be delivered, oldest first. */
  queue(sessionID: SessionID): Promise<readonly WaitingPrompt[]>
  /** Takes a waiting prompt back, by its message's id or its `clientID`. False where it waits no more. */
  withdraw(sessionID: SessionID, id: string): Promise<boolean>
  /** What waits for an answer in the session and in all below it, oldest first; in whatever process it was asked. */
  questions(sessionID: SessionID): Promise<Question[]>
  /**
   * Answers an open question; resolves once the answer is stored and counts. A session that nobody works on goes on with
   * it when it is resumed. Rejects with NotFoundError for an unknown question, with TypeError for an answer that does not
   * fit it, with QuestionClosedError where another answer came first, and with SessionBusyError where the process that
   * works on the session takes no answers.
   */
  answer(input: AnswerInput): Promise<void>
  /** Ends the session's run, its tools and their processes; resolves when all is settled and stored. */
  abort(sessionID: SessionID): Promise<void>
  /** The messages of a session, newest first, from before the last compaction too. */
  readMessages(sessionID: SessionID, page?: MessageQuery): AsyncIterable<MessageWithParts>
  readonly plugins: PluginControl
  /** Other settings than those of the options. Sessions at work go on with them at their next step. */
  update(settings: Partial<EngineSettings>): void
  /** Returns the function that ends the subscription. */
  subscribe(listener: EventListener): () => void
  /** Aborts all runs, begins none any more, and disposes the plugins. */
  close(): Promise<void>
}

export type PromptRequest = Omit<PromptInput, "agent" | "model"> & {
  readonly agent?: string
  readonly model?: ModelRef
  /** For a session at work: at the next step, after the turn, or at once in place of the step under way. */
  readonly delivery?: DeliveryMode
  /** Stores the message and begins no run: it is read with the next prompt. Resolves with type `stored`. */
  readonly noReply?: boolean
  /** Of the run that this begins; limits that are not named are those of the engine's options. */
  readonly limits?: RunLimits
}

export async function createEngine(options: EngineOptions): Promise<Engine> {
  const now = options.now ?? Date.now
  const ids = options.ids ?? createIDSource(now)
  const deadlines = { ...defaultDeadlines, ...options.deadlines }
  for (const [name, deadline] of Object.entries(deadlines)) {
    if (!(deadline >= 0)) throw new RangeError(`deadlines.${name} is ${deadline}: it must be 0 ms, for none, or more.`)
  }
  if (!(deadlines.lease > 0)) throw new RangeError(`deadlines.lease is ${deadlines.lease}: it must be more than 0 ms.`)
  const bus = createEventBus(
    () => ids.other("evt"),
    (error) => process.emitWarning(error instanceof Error ? error : String(error)),
  )
  const { storage } = options
  const roots = createRoots(storage)
  const { settings, update } = createSettings(options, deadlines.firstEvent)
  const connected = connectPlugins({ bus, deadlines, engine: () => engine, roots })
  const { hooks } = connected.plugins
  const environment = options.environment ?? childEnvironment(process.env)
  const projects = createProjectIDs({ storage, bus, now, environment })
  const deps = withSettings(settings, {
    ...{ storage, hooks, bus, ids, now, deadlines, roots, environment },
    inTurn: createTurns(),
    waitingIDs: createIDSource(() => now() + WAITING_AHEAD),
    subagentDepth: options.subagentDepth ?? 1,
    onFirstAnswer: (session: Session) => projects.find(session),
    ask: options.ask,
    askChoice: options.askChoice,
    askPolicy: options.askPolicy ?? "deny",
    authorize,
    desk: createQuestionDesk({ storage, bus }),
    isRunning: (id: SessionID): boolean => runs.has(id),
    keepOutput: options.keepOutput,
    readRemote: createRemoteReader(),
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
  })
  const closing = new AbortController()
  const titles = createTitles(deps)
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
    async prompt({ delivery, limits, noReply, ...input }) {
      if (!input.parts.some((part) => reachesModel(part))) {
        throw new TypeError("The prompt is empty: it needs a text or a file.")
      }
      const session = await sessions.get(input.sessionID)
      const agent =
        input.agent === undefined
          ? findAgent(settings.agents, session.agent ?? buildAgent.name)
          : chooseAgent(settings.agents, input.agent, "user")
      const model = input.model ?? agent.model ?? session.model ?? settings.model
      if (!model) throw new NotFoundError("No model is chosen: name one in the prompt or in the engine's options.")
      await settings.findModel(model)
      const prompt = { ...input, agent: agent.name, model }
      const prepare: StartOptions["prepare"] = async (run) => {
        await admit(deps, prompt, run)
        if (titles.isWanted(session)) titles.begin(session.id, writtenText(input.parts), { budget: run.budget, model })
      }
      if (noReply) {
        const messageID = await storeOnly({ ...deps, runs }, session.id, (run) => admit(deps, prompt, run))
        return { type: "stored", messageID }
      }
      const bounds = limits ? { limits } : {}
      if (!delivery) return runs.start(session.id, { prepare, ...bounds })
      return runs.send(session.id, {
        ...{ prepare, ...bounds },
        async store() {
          const isAgentOpen = input.agent === undefined
          const admission = { signal: closing.signal, isQueued: true, waits: delivery, isAgentOpen }
          const messageID = await admit(deps, prompt, admission)
          const isWaiting = (await queuedPrompts(deps, session.id)).some(({ info }) => info.id === messageID)
          return { messageID, isUrgent: delivery === "interrupt" && isWaiting }
        },
      })
    },
    async compact(sessionID, { focus, model: chosen } = {}) {
      const session = await sessions.get(sessionID)
      const agent = findAgent(settings.agents, session.agent ?? buildAgent.name)
      const model = chosen ?? agent.model ?? session.model ?? settings.model
      if (!model) throw new NotFoundError("No model is chosen: name one, or set one in the engine's options.")
      await settings.findModel(model)
      const prepare = () => askCompaction(deps, session, { agent: agent.name, model, focus })
      return runs.start(sessionID, { prepare, only: "compaction" })
    },
    pin: (sessionID, text) => pins.add(sessionID, text),
    unpin: (sessionID, pinID) => pins.remove(sessionID, pinID),
    async context(sessionID, { model: chosen } = {}) {
      const session = await sessions.get(sessionID)
      const agent = findAgent(settings.agents, session.agent ?? buildAgent.name)
      const model = chosen ?? agent.model ?? session.model ?? settings.model
      if (!model) throw new NotFoundError("No model is chosen: name one, or set one in the engine's options.")
      return contextReport(deps, sessionID, { agent, model })
    },
    async resume(sessionID) {
      await sessions.get(sessionID)
      return runs.start(sessionID)
    },
    async queue(sessionID) {
      await sessions.get(sessionID)
      return queuedPrompts(deps, sessionID)
    },
    async withdraw(sessionID, id) {
      await sessions.get(sessionID)
      return withdraw(deps, sessionID, id)
    },
    async questions(sessionID) {
      await sessions.get(sessionID)
      return openQuestions(storage, sessionID)
    },
    async answer(input) {
      await sessions.get(input.sessionID)
      return answerQuestion(deps, input)
    },
    async *readMessages(sessionID, page) {
      await sessions.get(sessionID)
      yield* storage.readMessages(sessionID, page)
    },
    plugins: connected.control,
    update,
    abort: (sessionID) => runs.abort(sessionID),
    subscribe(listener) {
      const unsubscribe = bus.subscribe(listener)
      connected.listened()
      return unsubscribe
    },
    async close() {
      closing.abort()
      await Promise.all([runs.close(), projects.close(), titles.close()])
      await connected.plugins.close()
    },
    [Symbol.asyncDispose]: () => engine.close(),
  }
  // They are handed the engine, whole.
  await connected.start(options.plugins ?? [])
  return engine
}

/** What reads a setting reads it as it is then; a copy keeps the settings of its moment. */
function withSettings<T extends object>(settings: Settings, parts: T): T & Settings {
  return Object.defineProperties(parts, Object.getOwnPropertyDescriptors(settings)) as T & Settings
}

function writtenText(parts: readonly PromptPart[]): string {
  const written = parts.find((part) => part.type === "text" && !part.synthetic)
  return written?.type === "text" ? written.text : ""
}

/** Milliseconds: longer than a compaction takes from its last look to its commit, and than clocks differ. */
const WAITING_AHEAD = 60_000

function reachesModel(part: PromptPart): boolean {
  if (part.type === "agent" || part.type === "subtask") return true
  return part.type === "file" ? isMedia(part) : part.text.trim() !== "" && !part.ignored
}
