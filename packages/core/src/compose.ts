import { hostname } from "node:os"
import { createArrangement } from "./record/request-order.ts"
import { createRemoteReader } from "./workspace/remote.ts"
import type { ResizeImage } from "./media/resize-image.ts"
import { createSelectPrunable } from "./compaction/prune/select-prunable.ts"
import type { RepetitionSettings } from "./repetition/response.ts"
import type { CompactionSettings } from "./measure/compaction-settings.ts"
import { createMeasure } from "./measure/measure.ts"
import { type Deadlines, defaultDeadlines } from "./base/deadlines.ts"
import { createEventBus } from "./contracts/events.ts"
import { type ConnectedPlugins, connectPlugins } from "./hooks/connect-plugins.ts"
import type { PluginEntry } from "./plugin.ts"
import type { Engine } from "./engine.ts"
import { createIDSource, type IDSource, type SessionID } from "./base/ids.ts"
import type { AskChoice, AskPermission, AskPolicy } from "./contracts/ask.ts"
import { authorize } from "./tool-call/authorize.ts"
import { createQuestionDesk } from "./questions/desk.ts"
import type { Drafts } from "./record/drafts.ts"
import type { KeepOutput } from "./tool-call/long-output.ts"
import type { Session } from "./record/message.ts"
import { createRequestFitter } from "./media/fit-request.ts"
import { createAskModel } from "./request/ask-model.ts"
import { createModelMessages } from "./request/model-messages.ts"
import { createProjectIDs } from "./sessions/project-id.ts"
import { type RetrySettings, retryPolicy } from "./request/retry.ts"
import { createRoots } from "./store/roots.ts"
import { createTurns } from "./store/turns.ts"
import { createSettings, type EngineSettings, type LiveSettings, type Settings } from "./settings.ts"
import type { Storage } from "./contracts/storage.ts"
import type { CallProcesses } from "./contracts/call-processes.ts"
import { childEnvironment } from "./contracts/environment.ts"
import { defaultOutputLimits, type OutputLimits } from "./measure/truncate.ts"

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
  /** How often a failed request is made again. */
  readonly retry?: RetrySettings
  readonly outputLimits?: Partial<OutputLimits>
  /** Ends the processes of calls whose engine is dead. Absent: they are left alone, and the model is told that it is unknown. */
  readonly processes?: CallProcesses
  /** For child processes of tools. Absent: what is harmless of this process's own. */
  readonly environment?: Readonly<Record<string, string>>
  /** Takes secrets out of a text before it is cut to a title. Absent: titles are cut as they are. */
  readonly mask?: (text: string) => string
  /** Epoch milliseconds. */
  readonly now?: () => number
  readonly ids?: IDSource
  /** 0 to 1, for the jitter of delays. */
  readonly random?: () => number
}

/** What is made of the options: each part of the engine names the slice of `deps` that it needs. */
export interface Composed {
  readonly deps: EngineDeps
  readonly connected: ConnectedPlugins
  readonly update: LiveSettings["update"]
}

export type EngineDeps = Settings & ReturnType<typeof createParts>

/** What exists once there is an engine. */
export interface EngineLinks {
  readonly engine: () => Engine
  readonly isRunning: (id: SessionID) => boolean
}

/** Throws RangeError for a deadline or a retry policy that is none. */
export function compose(options: EngineOptions, { engine, isRunning }: EngineLinks): Composed {
  const now = options.now ?? Date.now
  const ids = options.ids ?? createIDSource(now)
  const deadlines = checkedDeadlines(options)
  const bus = createEventBus(
    () => ids.other("evt"),
    (error) => process.emitWarning(error instanceof Error ? error : String(error)),
  )
  const roots = createRoots(options.storage)
  const connected = connectPlugins({ bus, deadlines, engine, roots })
  const { settings, update } = createSettings(options, deadlines.firstEvent)
  const { hooks } = connected.plugins
  const parts = createParts(options, { now, ids, deadlines, bus, roots, hooks, isRunning })
  return { deps: withSettings(settings, parts), connected, update }
}

type Shared = Pick<EngineLinks, "isRunning"> & {
  readonly now: () => number
  readonly ids: IDSource
  readonly deadlines: Deadlines
  readonly bus: ReturnType<typeof createEventBus>
  readonly roots: ReturnType<typeof createRoots>
  readonly hooks: ConnectedPlugins["plugins"]["hooks"]
}

function createParts(options: EngineOptions, shared: Shared) {
  const { storage } = options
  const { now, ids, bus } = shared
  const environment = options.environment ?? childEnvironment(process.env)
  const projects = createProjectIDs({ storage, bus, now, environment })
  return {
    ...{ ...shared, storage, environment, projects },
    inTurn: createTurns(),
    drafts: new Map() as Drafts,
    waitingIDs: createIDSource(() => now() + WAITING_AHEAD),
    subagentDepth: options.subagentDepth ?? 1,
    onFirstAnswer: (session: Session) => projects.find(session),
    ask: options.ask,
    askChoice: options.askChoice,
    askPolicy: options.askPolicy ?? ("deny" as const),
    authorize,
    desk: createQuestionDesk({ storage, bus }),
    keepOutput: options.keepOutput,
    readRemote: createRemoteReader(),
    outputLimits: { ...defaultOutputLimits, ...options.outputLimits },
    random: options.random ?? Math.random,
    platform: process.platform,
    modelMessages: createModelMessages(),
    askModel: createAskModel(shared),
    fitRequest: createRequestFitter(),
    arrange: createArrangement(),
    measure: createMeasure(),
    selectPrunable: createSelectPrunable(),
    contextSettings: options.compaction ?? {},
    repetition: options.repetition ?? {},
    retry: retryPolicy(options.retry),
    resizeImage: options.resizeImage,
    mask: options.mask ?? ((text: string) => text),
    processes: options.processes,
    owner: `${hostname()}:${process.pid}:${ids.other("own")}`,
  }
}

/** Milliseconds: longer than a compaction takes from its last look to its commit, and than clocks differ. */
const WAITING_AHEAD = 60_000

function checkedDeadlines(options: EngineOptions): Deadlines {
  const deadlines = { ...defaultDeadlines, ...options.deadlines }
  for (const [name, deadline] of Object.entries(deadlines)) {
    if (!(deadline >= 0)) throw new RangeError(`deadlines.${name} is ${deadline}: it must be 0 ms, for none, or more.`)
  }
  if (!(deadlines.lease > 0)) throw new RangeError(`deadlines.lease is ${deadlines.lease}: it must be more than 0 ms.`)
  return deadlines
}

/** What reads a setting reads it as it is then; a copy keeps the settings of its moment. */
function withSettings<T extends object>(settings: Settings, parts: T): T & Settings {
  return Object.defineProperties(parts, Object.getOwnPropertyDescriptors(settings)) as T & Settings
}
