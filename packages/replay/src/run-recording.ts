import type { Agent, RunResult, Session } from "@pawl/core"
import type { Provider } from "@pawl/core/provider"
import type { RecordedAgent } from "@pawl/provider-replay"
import type { RuntimeHost } from "@pawl/runtime/host"
import { formatModelRef } from "@pawl/provider-registry/model-ref"
import { REPLAY } from "@pawl/provider-registry/replay"
import { ownVersion } from "@pawl/runtime/own-version"
import type { RuntimeOptions } from "@pawl/runtime/runtime-options"
import type { Runtime } from "@pawl/runtime/open-runtime"
import { configuredAgents } from "@pawl/runtime/config/agents"
import { compactionSettings } from "@pawl/runtime/config/compaction"
import { titleModel } from "@pawl/runtime/config/titles"
import { createRecorder } from "./recorder.ts"
import { openRecordingFile } from "./recording-file.ts"
import type { ReplaySettings } from "./replay-settings.ts"

/** The recording of a run, for `--record`. */
export interface RunRecording {
  readonly path: string
  /** Wraps the providers, so that the replies of their models are recorded. */
  listen(providers: readonly Provider[]): readonly Provider[]
  /** Writes the session so far, and then records the run. */
  begin(runtime: Runtime, session: Session): Promise<void>
  end(result: RunResult): void
  /** Returns the reason why the recording is incomplete; undefined if it is complete. */
  close(): Error | undefined
}

export interface RunRecordingOptions {
  /** Absolute. */
  readonly path: string
  readonly replaces: boolean
  readonly notice: (text: string) => void
}

type RecordedOptions = Pick<RuntimeOptions, "session" | "prompt" | "limits">

/** Opens the file immediately. Throws UsageError if the file cannot be created. */
export async function openRunRecording(
  options: RecordedOptions,
  host: RuntimeHost,
  { path, replaces, notice }: RunRecordingOptions,
): Promise<RunRecording> {
  const pawl = ownVersion(host)
  const { session: choice = { type: "new" as const, title: undefined } } = options
  const file = openRecordingFile(path, {
    replaces,
    onFailure: ({ message }) => notice(`the recording ends here: ${message}. The session goes on.`),
  })
  const recorder = createRecorder({ write: (line) => file.write(line), secrets: host.secrets })
  let unfollow: (() => void) | undefined
  return {
    path,
    listen: (providers) => recorder.listen(providers),
    async begin(runtime, session) {
      const { engine, model, agent, variant, parts, settings } = runtime
      const { directory, worktree, config } = settings
      const isNew = runtime.session === undefined
      unfollow = recorder.begin(engine, {
        header: {
          ...{ pawl, time: new Date().toISOString(), directory, worktree },
          agents: configuredAgents(config.agent).map(recordedAgent),
          plugins: engine.plugins.report().map(({ id }) => id),
          settings: settingsOf(runtime, options, host) as never,
        },
        ...{ session, title: choice.type === "new" ? choice.title : session.title },
        ...(isNew ? {} : { history: await historyOf(runtime, session) }),
        ...(options.prompt ? { prompt: { parts, agent, variant, model } } : {}),
      })
    },
    end: (result) => recorder.end(result),
    close() {
      unfollow?.()
      file.close()
      return file.failure
    },
  }
}

async function historyOf({ storage }: Runtime, { id }: Session) {
  const { exportSession } = await import("@pawl/transfer")
  return exportSession(storage, id)
}

function recordedAgent({ name, description, prompt, model, steps, temperature, topP, mode }: Agent): RecordedAgent {
  const ref = model && formatModelRef(model)
  return { name, description, prompt, model: ref, steps, temperature, topP, mode }
}

/** Returns the recorded settings except for the models. */
function settingsOf(
  { settings: { config }, model }: Runtime,
  { limits }: RecordedOptions,
  host: RuntimeHost,
): ReplaySettings {
  const titler = model.providerID === REPLAY ? undefined : titleModel(config)
  const steps = limits?.steps ?? config.limits?.steps
  return {
    compaction: compactionSettings(config.compaction, host.environment),
    ...(config.repetition?.response === undefined ? {} : { repetition: config.repetition.response }),
    ...(config.fallback ? { fallback: config.fallback } : {}),
    ...(config.subagent_depth === undefined ? {} : { subagentDepth: config.subagent_depth }),
    ...(config.retry?.attempts === undefined ? {} : { attempts: config.retry.attempts }),
    ...(steps === undefined ? {} : { steps }),
    ...(titler ? { title: formatModelRef(titler) } : {}),
  }
}
