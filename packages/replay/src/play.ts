import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Engine, EngineEvent, EngineOptions, RunResult, SessionID } from "@pawl/core"
import { DEFAULT_VARIANT, type Provider } from "@pawl/core/provider"
import { isStoredAgain } from "@pawl/core/record"
import type { Storage } from "@pawl/core/storage"
import { NAMELESS, recordedInfo, type Recording } from "@pawl/provider-replay"
import { UsageError } from "@pawl/config/usage-error"
import { createEngine } from "@pawl/runtime/create-engine"
import { toModelRef } from "@pawl/provider-registry/model-ref"
import { givenSystem } from "./given-system.ts"
import { promptOf } from "./prompt-of.ts"
import { readReplaySettings } from "./replay-settings.ts"
import { recordedAgents } from "./recorded-agents.ts"
import { historyIDs, safeHistory } from "./safe-history.ts"
import type { SessionMap } from "./session-map.ts"

/** The environment of a replay: sessions in memory, and a directory. */
export interface ReplayEnvironment {
  readonly storage: Storage
  /** Absolute. */
  readonly directory: string
  close(): Promise<void>
}

/**
 * Opens the environment of a replay. `directory` is the working directory of live tools. Default: an empty temporary
 * directory, which is removed at the end.
 */
export async function openReplayEnvironment(directory?: string): Promise<ReplayEnvironment> {
  const { memoryStorage } = await import("@pawl/storage-memory")
  const scratch = directory ?? (await realpath(await mkdtemp(join(tmpdir(), "pawl-replay-"))))
  const storage = memoryStorage()
  return {
    ...{ storage, directory: scratch },
    async close() {
      await storage.close()
      if (directory === undefined) await rm(scratch, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

export interface Performance {
  readonly recording: Recording
  readonly replayEnvironment: ReplayEnvironment
  readonly sessions: SessionMap
  readonly providers: readonly Provider[]
  readonly tools: EngineOptions["tools"] & object
  /** Other options of the engine, for live tools. */
  readonly options?: Partial<EngineOptions>
  /** The model to use in place of the recorded ones, as provider/model. */
  readonly model?: string
  readonly onEvent: (event: EngineEvent, rootID: SessionID) => void
  /** Called at the end of each turn. */
  readonly onEnd: (result: RunResult, turn: number) => void
  /** Called when the engine and its session exist, so that the caller can end them. */
  readonly onBegin: (engine: Engine, rootID: SessionID) => void
  readonly signal: AbortSignal
}

/** Sends the prompts of a recording to an engine, one turn after another. */
export async function perform(performance: Performance): Promise<void> {
  const { recording, sessions, signal } = performance
  const { prompts, history } = recording
  if (prompts.length === 0 && history === undefined) {
    throw new UsageError(
      `${recording.name} says nothing of what was asked, so that it cannot be replayed.`,
      'A line such as {"prompt": "make the test pass"} says it. A script is played by pawl run --script.',
    )
  }
  const { outputFacts } = await import("@pawl/tools")
  const engine = await createEngine({ outputFacts, ...optionsOf(performance) })
  const rootID = await beginSession(engine, performance)
  sessions.begin(rootID, historyIDs(history))
  const unsubscribe = engine.subscribe((event) => {
    sessions.follow(event)
    if (event.type === "message.part.updated" && isStoredAgain(event.properties.part)) return
    performance.onEvent(event, rootID)
  })
  const onAbort = () => void engine.abort(rootID)
  signal.addEventListener("abort", onAbort, { once: true })
  performance.onBegin(engine, rootID)
  try {
    if (prompts.length === 0 && !signal.aborted) performance.onEnd(await engine.resume(rootID), 0)
    for (const [turn, { prompt, agent, by, variant }] of prompts.entries()) {
      if (signal.aborted) return
      const model = performance.model ?? by ?? onlyModel(recording)
      const isKnown = variant !== undefined && performance.model === undefined && hasVariant(recording, model, variant)
      const result = await engine.prompt({
        ...{
          sessionID: rootID,
          parts: promptOf(prompt),
          model: toModelRef(model) ?? { providerID: "replay", modelID: model },
        },
        ...(agent === undefined ? {} : { agent }),
        ...(isKnown ? { variant } : {}),
      })
      performance.onEnd(result, turn)
    }
  } finally {
    signal.removeEventListener("abort", onAbort)
    unsubscribe()
    await engine.close()
  }
}

function hasVariant(recording: Recording, ref: string, name: string): boolean {
  return name === DEFAULT_VARIANT || Object.hasOwn(recordedInfo(recording).get(ref)?.variants ?? {}, name)
}

function onlyModel({ header }: Recording): string {
  return Object.keys(header.models ?? {}).find((ref) => ref !== "") ?? NAMELESS
}

function optionsOf({
  recording,
  replayEnvironment,
  providers,
  tools,
  model,
  options,
  sessions,
}: Performance): EngineOptions {
  const settings = readReplaySettings(recording.header.settings)
  const ref = model === undefined ? undefined : toModelRef(model)
  const titler = settings.title === undefined || ref ? undefined : toModelRef(settings.title)
  const fallback = ref ? [] : (settings.fallback ?? []).flatMap((each) => toModelRef(each) ?? [])
  const agents = recordedAgents(recording).map(({ model: own, ...agent }) =>
    ref || !own ? agent : { ...agent, model: own },
  )
  return {
    ...{ storage: replayEnvironment.storage, providers, tools, agents, fallback },
    permission: [{ name: "recording", rules: [{ permission: "*", pattern: "*", action: "allow" }] }],
    plugins: [{ id: "recording", plugin: givenSystem(recording, sessions) }],
    ask: async () => "once",
    compaction: settings.compaction ?? {},
    repetition: settings.repetition === undefined ? {} : { response: settings.repetition },
    // A replay does not wait for a server that was busy during the recording.
    retry: {
      ...(settings.attempts === undefined ? {} : { attempts: settings.attempts }),
      ...(ref ? {} : { delay: 0 }),
    },
    subagentDepth: settings.subagentDepth ?? DEFAULT_DEPTH,
    limits: settings.steps === undefined ? {} : { steps: settings.steps },
    // The recorded outputs were truncated when they were recorded.
    outputLimits: { lines: Infinity, bytes: Infinity },
    environment: {},
    ...(titler ? { titleModel: titler } : {}),
    ...options,
  }
}

/** Default depth of subagents in an engine. */
const DEFAULT_DEPTH = 1

async function beginSession(engine: Engine, { recording, replayEnvironment }: Performance): Promise<SessionID> {
  const { history, sessions } = recording
  if (history === undefined) {
    const [root] = sessions
    const { id } = await engine.createSession({
      directory: replayEnvironment.directory,
      ...(root?.title ? { title: root.title } : {}),
    })
    return id
  }
  const { importSession } = await import("@pawl/transfer")
  // Imports the session unchanged, so that its unfinished work continues as in the recorded run. The storage is
  // temporary.
  await importSession(replayEnvironment.storage, safeHistory(history, replayEnvironment.directory), { origin: "here" })
  const [id] = historyIDs(history)
  if (id === undefined) throw new UsageError(`The history in ${recording.name} holds no session.`)
  return id as SessionID
}
