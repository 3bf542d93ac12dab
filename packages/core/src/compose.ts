import { hostname } from "node:os"
import { createArrangement } from "./record/request-order.ts"
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
import { createOpenQuestions } from "./questions/open-questions.ts"
import type { KeepOutput } from "./tool-call/long-output.ts"
import type { RunsDeps } from "./run/owned-run.ts"
import { createRequestFitter } from "./media/fit-request.ts"
import { createAskModel } from "./request/ask-model.ts"
import { createModelMessages } from "./request/model-messages.ts"
import { createProjectIDs } from "./sessions/project-id.ts"
import { type RetrySettings, retryPolicy } from "./request/retry.ts"
import { createRoots } from "./store/roots.ts"
import type { Store } from "./store/store.ts"
import { createTurns } from "./store/turns.ts"
import { createSettings, type EngineSettings, type LiveSettings } from "./settings.ts"
import type { Storage } from "./contracts/storage.ts"
import type { FileHistory } from "./contracts/file-history.ts"
import type { CallProcesses } from "./contracts/call-processes.ts"
import { childEnvironment } from "./contracts/environment.ts"
import { noOutputFacts, type OutputFacts } from "./contracts/output-facts.ts"
import type { SubagentDirectories } from "./contracts/subagent-directories.ts"
import { noWorkspace, type WorkspaceReader } from "./contracts/workspace.ts"
import { defaultOutputLimits, type OutputLimits } from "./measure/truncate.ts"

export interface EngineOptions extends EngineSettings {
  /** Belongs to the caller: closing the engine leaves it open. */
  readonly storage: Storage
  readonly plugins?: readonly PluginEntry[]
  /** Asks the user for a permission. If missing, `askPolicy` decides. */
  readonly ask?: AskPermission
  /** Answers the questions of tools, such as which of several options to take. If missing, `askPolicy` decides. */
  readonly askChoice?: AskChoice
  /**
   * Decides about questions that have no callback. `deny`: a permission is refused at once and the run stops, and a
   * tool that asks learns that no user is there. `wait`: another process may answer, until `deadlines.question` has
   * passed. Default: `deny`
   */
  readonly askPolicy?: AskPolicy
  readonly keepOutput?: KeepOutput
  /** Finds failed tests and errors in outputs, to keep them beside a summary. Default: finds none of them */
  readonly outputFacts?: OutputFacts
  /** Limits how full a context may get, and sets how it is made smaller. */
  readonly compaction?: CompactionSettings
  /** Shrinks images that are too large for a provider. If missing, such images are left out. */
  readonly resizeImage?: ResizeImage
  /** Sets the reaction to a model that repeats itself. */
  readonly repetition?: RepetitionSettings
  /** Maximum depth of subagent sessions. Default: 1, so subagents have no subagents */
  readonly subagentDepth?: number
  readonly deadlines?: Partial<Deadlines>
  /** Sets how often a failed request is retried. */
  readonly retry?: RetrySettings
  readonly outputLimits?: Partial<OutputLimits>
  /**
   * Ends the processes of calls whose engine is dead. If missing, the processes are left alone, and the model is told
   * that the outcome of such a call is unknown.
   */
  readonly processes?: CallProcesses
  /** Watches which files calls change, and restores them. If missing, changes of files cannot be undone. */
  readonly fileHistory?: FileHistory
  /** Reads the repository and the instructions around a session's directory. Default: no repository and no instructions. */
  readonly workspace?: WorkspaceReader
  /** Gives subagents directories of their own. If missing, agents with `ownDirectory` cannot be given tasks. */
  readonly subagentDirectories?: SubagentDirectories
  /** Environment of the tools' child processes. Default: the harmless variables of this process */
  readonly environment?: Readonly<Record<string, string>>
  /** Removes secrets from a text before it is cut to a title. Default: returns the text unchanged */
  readonly mask?: (text: string) => string
  /** Returns epoch milliseconds. Default: `Date.now` */
  readonly now?: () => number
  readonly ids?: IDSource
  /** Returns a number from 0 to 1, for the jitter of delays. Default: `Math.random` */
  readonly random?: () => number
}

/** The parts that are made from the options. Each part of the engine names the slice of `deps` that it needs. */
export interface Composed {
  readonly deps: EngineDeps
  readonly connected: ConnectedPlugins
  readonly update: LiveSettings["update"]
}

/** Dependencies of the parts of an engine, in groups by subject. */
export interface EngineDeps extends RunsDeps {
  readonly settings: LiveSettings["settings"]
  readonly projects: ReturnType<typeof createProjectIDs>
  readonly subagentDirectories: SubagentDirectories | undefined
}

/** Functions that work as soon as the engine exists. */
export interface EngineLinks {
  readonly engine: () => Engine
  readonly isRunning: (id: SessionID) => boolean
}

/** Throws RangeError for an invalid deadline or retry policy. */
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
  const { update, settings, findModel } = createSettings(options, deadlines.firstEvent)
  const environment = options.environment ?? childEnvironment(process.env)
  const workspace = options.workspace ?? noWorkspace
  const projects = createProjectIDs({ storage: options.storage, bus, now, environment, workspace })
  const store: Store = {
    storage: options.storage,
    bus,
    ids,
    waitingIDs: createIDSource(() => now() + WAITING_AHEAD_MS),
    now,
    roots,
    inTurn: createTurns(),
    drafts: new Map(),
    owner: `${hostname()}:${process.pid}:${ids.other("own")}`,
    deadlines,
    isRunning,
  }
  const deps: EngineDeps = {
    hooks: connected.plugins.hooks,
    store,
    models: {
      findModel,
      askModel: createAskModel({ deadlines }),
      retry: retryPolicy(options.retry),
      random: options.random ?? Math.random,
    },
    requests: {
      arrange: createArrangement(),
      modelMessages: createModelMessages(),
      fitRequest: createRequestFitter(),
      resizeImage: options.resizeImage,
      measure: createMeasure(),
      selectPrunable: createSelectPrunable(),
      contextSettings: options.compaction ?? {},
    },
    calls: {
      ask: options.ask,
      askChoice: options.askChoice,
      askPolicy: options.askPolicy ?? "deny",
      authorize,
      openQuestions: createOpenQuestions(store),
      environment,
      processes: options.processes,
      fileHistory: options.fileHistory,
      keepOutput: options.keepOutput,
      outputFacts: options.outputFacts ?? noOutputFacts,
    },
    workspace,
    subagentDirectories: options.subagentDirectories,
    settings,
    defaults: {
      outputLimits: { ...defaultOutputLimits, ...options.outputLimits },
      platform: process.platform,
      repetition: options.repetition ?? {},
      subagentDepth: options.subagentDepth ?? 1,
    },
    mask: options.mask ?? ((text: string) => text),
    projects,
    onFirstAnswer: (session) => projects.find(session),
  }
  return { deps, connected, update }
}

/** Longer than a compaction takes from its last read to its commit, and longer than clocks differ. */
const WAITING_AHEAD_MS = 60_000

function checkedDeadlines(options: EngineOptions): Deadlines {
  const deadlines = { ...defaultDeadlines, ...options.deadlines }
  for (const [name, deadline] of Object.entries(deadlines)) {
    if (!(deadline >= 0)) throw new RangeError(`deadlines.${name} is ${deadline}: it must be 0 ms, for none, or more.`)
  }
  if (!(deadlines.lease > 0)) throw new RangeError(`deadlines.lease is ${deadlines.lease}: it must be more than 0 ms.`)
  return deadlines
}
