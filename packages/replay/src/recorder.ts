import type { Engine, EngineEvent, ModelRef, PromptPart, RunResult, Session } from "@pawl/core"
import type { Model, ModelInfo, Provider } from "@pawl/core/provider"
import { isStoredAgain, type ToolPart } from "@pawl/core/record"
import { createRecordingWriter, listenedTo, RECORDING_VERSION, type RecordingHeader, ROOT } from "@pawl/provider-replay"
import { mapNamedStrings, type Secrets } from "@pawl/secrets"
import type { SessionDocument } from "@pawl/transfer"
import { formatModelRef } from "@pawl/provider-registry/model-ref"
import { createSessionNames, sessionLine } from "./session-names.ts"
import { createSpoken } from "./spoken.ts"

/** The first line of a recording. */
export interface RecordedStart {
  readonly header: Omit<RecordingHeader, "recording" | "models">
  readonly session: Session
  /** The title that the user set. */
  readonly title?: string | undefined
  /** The session before the run, as a document. Absent for a new session. */
  readonly history?: SessionDocument
  /** Absent if the run continues interrupted work. */
  readonly prompt?: {
    readonly parts: readonly PromptPart[]
    readonly agent: string | undefined
    readonly variant: string | undefined
    readonly model: ModelRef
  }
}

/** Records a run while it executes. */
export interface Recorder {
  /** Wraps the providers, so that the replies of their models are recorded. */
  listen(providers: readonly Provider[]): readonly Provider[]
  /** Starts to record events. Returns a function that stops it. */
  begin(engine: Pick<Engine, "subscribe" | "getSession">, start: RecordedStart): () => void
  end(result: RunResult): void
}

export interface RecorderOptions {
  /** Called with complete lines. */
  readonly write: (line: string) => void
  readonly secrets: Pick<Secrets, "mask">
}

/**
 * Writes a reply at its end and a result at the end of its call. A model precedes its first reply. A prompt to the
 * running session precedes the reply to it.
 */
export function createRecorder({ write, secrets }: RecorderOptions): Recorder {
  const masked = <T>(value: T): T => mapNamedStrings(value, (text) => secrets.mask(text)) as T
  const writer = createRecordingWriter(write, masked)
  const infos = new Map<string, ModelInfo>()
  const names = createSessionNames()
  const settled = new Set<string>()
  const spoken = createSpoken((sessionID) => names.nameOf(sessionID) === ROOT)
  let hasBegun = false

  function recorded(model: Model): Model {
    const by = formatModelRef(model.ref)
    if (hasBegun && !infos.has(by)) writer.models({ [by]: model.info })
    infos.set(by, model.info)
    return listenedTo(model, (reply, { request, took }) => {
      if (names.nameOf(request.sessionID) === ROOT) for (const prompt of spoken.taken()) writer.prompt(prompt)
      writer.reply(reply, { session: names.nameOf(request.sessionID), by, took, request })
    })
  }

  function onSession(session: Session): void {
    if (session.parentID !== undefined && !names.has(session.id)) writer.session(sessionLine(session, false, names))
  }

  function onPart(part: ToolPart): void {
    const { id, callID, sessionID, tool, state } = part
    if ((state.status !== "completed" && state.status !== "error") || settled.has(id) || isStoredAgain(part)) return
    settled.add(id)
    writer.result({
      ...{ session: names.nameOf(sessionID), call: callID, tool, input: state.input },
      ...resultOf(state),
      took: state.time.end - state.time.start,
    })
  }

  function onEvent(event: EngineEvent): void {
    spoken.follow(event)
    if (event.type === "session.created") return onSession(event.properties.info)
    if (event.type === "message.part.updated" && event.properties.part.type === "tool") {
      return onPart(event.properties.part)
    }
    if (event.type === "permission.asked") {
      const { sessionID, tool, permission, patterns } = event.properties
      writer.permission({ session: names.nameOf(sessionID), call: tool.callID, permission, patterns })
    }
    if (event.type === "permission.replied") {
      const { sessionID, reply } = event.properties
      writer.permission({ session: names.nameOf(sessionID), reply })
    }
    if (event.type === "message.updated" && event.properties.info.role === "assistant") {
      const { sessionID, error } = event.properties.info
      if (error?.name !== "PermissionDeniedError") return
      writer.permission({ session: names.nameOf(sessionID), stopped: error.data["message"] })
    }
  }

  return {
    listen: (providers) =>
      providers.map((provider) => ({
        id: provider.id,
        name: provider.name,
        models: () => provider.models(),
        model: async (modelID) => recorded(await provider.model(modelID)),
      })),
    begin(engine, { header, session, title, history, prompt }) {
      const [first] = [...infos.values()]
      const models = Object.fromEntries(infos)
      hasBegun = true
      writer.header({ recording: RECORDING_VERSION, ...header, models, ...(first && { model: scriptModel(first) }) })
      const { id, agent } = session
      writer.session({ session: names.nameOf(id), id, agent: prompt?.agent ?? agent, title })
      for (const { session: below } of history?.sessions.slice(1) ?? []) onSession(below)
      if (history !== undefined) writer.history(history)
      if (prompt) {
        const { parts, agent, variant, model } = prompt
        writer.prompt({ prompt: parts, agent, variant, by: formatModelRef(model) })
      }
      return engine.subscribe(onEvent)
    },
    end(result) {
      writer.end(endOf(result))
    },
  }
}

/** Returns the fields of a model that scripts support. */
function scriptModel({ id, name, limit, cost, capabilities: { reasoning, attachment, toolCall } }: ModelInfo) {
  const { input, output, cacheRead, cacheWrite } = cost
  return {
    id,
    name,
    limit,
    cost: { input, output, cacheRead, cacheWrite },
    capabilities: { reasoning, attachment, toolCall },
  }
}

export function resultOf(state: Extract<ToolPart["state"], { status: "completed" | "error" }>) {
  if (state.status === "error") return { error: state.error }
  const attachments = state.attachments?.map(({ mime, filename, url }) => ({ mime, filename, url }))
  return {
    ...{ output: state.output, title: state.title, metadata: state.metadata },
    ...(attachments === undefined ? {} : { attachments }),
  }
}

/** Returns the comparable part of a run's result. */
export function endOf(result: RunResult): { type: string; answer?: string; error?: string } {
  const { type } = result
  const answer = "answer" in result && result.answer ? textOf(result.answer.parts) : undefined
  const error = "error" in result ? result.error.data["message"] : undefined
  return { type, ...(answer ? { answer } : {}), ...(error === undefined ? {} : { error }) }
}

export function textOf(parts: readonly { readonly type: string; readonly text?: unknown }[]): string {
  return parts.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : [])).join("\n\n")
}
