import {
  type Model,
  type ModelEvent,
  type ModelInfo,
  type ModelRequest,
  type Provider,
  ProviderError,
} from "@pawl/core/provider"
import { createRequestMeter } from "../reply/estimate.ts"
import { MAX_TIMER_MS, standStill } from "../reply/pause.ts"
import { play } from "../reply/play.ts"
import type { Reply, ReplyStep } from "../reply/reply.ts"
import { defaultInfo } from "../script/script.ts"
import type { ComparedAspects, CompareRequests, RequestDifference } from "./compare-requests.ts"
import { isBesideTalk } from "./recording-writer.ts"
import { type RecordedReply, type Recording, ROOT } from "./recorded.ts"
import { createRequestLog, type RequestLog } from "./request-log.ts"

/** A request that was made in a replay. */
export interface PlayedRequest {
  readonly session: string
  /** Number of the reply in the conversation of its session, counted from 1. */
  readonly step: number
  readonly beside: boolean
  /** Absent if the recording has no reply left. */
  readonly reply: RecordedReply | undefined
  /** Absent if the request equals the recorded one, or if the recording has no request. */
  readonly difference: RequestDifference | undefined
  readonly isCompared: boolean
}

export interface RecordedModelsOptions {
  /** Returns the session's name in the recording; undefined for an unknown session. */
  readonly nameOf: (sessionID: string) => string | undefined
  readonly compare: CompareRequests
  readonly aspects: ComparedAspects
  /** Called before the reply is played. The reply waits for the returned promise. */
  readonly onRequest: (request: PlayedRequest) => unknown
  /** The factor for recorded waiting times: 1 for the recorded speed, 0 for no waiting. */
  readonly pace: number
  /** Returns the line of `s1`'s next prompt, to which later replies belong. Undefined after the last prompt. */
  readonly nextPrompt?: () => number | undefined
  /**
   * Returns true if a request without a reply waits until it is aborted, because the recording ended before the work
   * did.
   */
  readonly isOpenEnded: () => boolean
}

export interface RecordedModels {
  readonly providers: readonly Provider[]
  /** Returns the replies that no request used. */
  unplayed(): readonly RecordedReply[]
}

/**
 * Plays the replies of a recording. A request gets the reply of its session whose recorded request is the same, or else
 * the next unused one, so that the order in which sessions send requests does not matter.
 */
export function recordedModels(recording: Recording, options: RecordedModelsOptions): RecordedModels {
  const lanes = new Map<string, Lane>()
  for (const { session } of recording.replies) {
    if (!lanes.has(session)) lanes.set(session, createLane(recording, session))
  }
  const charactersOf = createRequestMeter()

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    const session = options.nameOf(request.sessionID)
    const beside = isBesideTalk(request)
    const until = session === ROOT ? options.nextPrompt?.() : undefined
    const chosen = session === undefined ? undefined : lanes.get(session)?.choose(request, { ...options, until })
    const { reply, difference, isCompared = false, step = 1 } = chosen ?? {}
    await options.onRequest({
      ...{ session: session ?? request.sessionID, step, beside, reply, difference, isCompared },
    })
    if (!reply && options.isOpenEnded()) await standStill(signal)
    const words = reply
      ? playable(reply.reply, options.pace)
      : [{ type: "fail", error: none(recording, session) } as const]
    const requestCharacters = charactersOf(request)
    yield* play(words, { pace: paceOf(reply, options.pace), requestCharacters, signal })
  }

  return {
    providers: providersOf(recording, stream),
    unplayed: () => [...lanes.values()].flatMap((lane) => lane.left()),
  }
}

interface Chosen {
  readonly reply: RecordedReply | undefined
  readonly difference: RequestDifference | undefined
  readonly isCompared: boolean
  readonly step: number
}

interface Lane {
  choose(
    request: ModelRequest,
    how: Pick<RecordedModelsOptions, "compare" | "aspects"> & { readonly until: number | undefined },
  ): Chosen
  left(): readonly RecordedReply[]
}

function createLane(recording: Recording, session: string): Lane {
  const replies = recording.replies.filter((reply) => reply.session === session)
  const log: RequestLog = createRequestLog(replies, recording)
  const played = new Set<number>()
  const stepOf = (at: number) => replies.slice(0, at + 1).filter(({ beside }) => !beside).length
  return {
    choose(request, { compare, aspects, until = Infinity }) {
      const beside = isBesideTalk(request)
      const open = replies.flatMap((reply, at) =>
        played.has(at) || reply.beside !== beside || reply.line > until ? [] : [at],
      )
      let first: Chosen | undefined
      for (const at of open.slice(0, MAX_COMPARED_REPLIES)) {
        const expected = log.request(at)
        const difference = expected && compare(expected, request, aspects)
        const chosen = { reply: replies[at], difference, isCompared: expected !== undefined, step: stepOf(at) }
        // Prefers an earlier candidate over a reply without a recorded request.
        if (expected === undefined && first) break
        if (difference === undefined) {
          played.add(at)
          return chosen
        }
        first ??= chosen
      }
      const [next] = open
      if (next !== undefined) played.add(next)
      return first ?? { reply: undefined, difference: undefined, isCompared: false, step: stepOf(replies.length) + 1 }
    },
    left: () => replies.filter((_reply, at) => !played.has(at)),
  }
}

/** Number of unused replies that are compared with a request. Fewer requests run concurrently. */
const MAX_COMPARED_REPLIES = 8

/** Removes recorded waiting times for an overloaded server. */
function playable(reply: Reply, pace: number): Reply {
  return reply.map((step): ReplyStep => {
    if (step.type === "wait") return { ...step, milliseconds: Math.min(step.milliseconds * pace, MAX_TIMER_MS) }
    if (step.type !== "fail" || !(step.error instanceof ProviderError)) return step
    const { retryAfter: _, ...details } = step.error.details
    return { type: "fail", error: new ProviderError(step.error.kind, step.error.message, details) }
  })
}

function none({ name }: Recording, session: string | undefined): ProviderError {
  const which = session === undefined ? "a session that it knows nothing of" : `session ${session}`
  return new ProviderError("invalid-request", `The recording ${name} has no reply left for ${which}.`, {
    providerID: "replay",
  })
}

function paceOf(reply: RecordedReply | undefined, factor: number) {
  const { took = 0 } = reply ?? {}
  if (factor <= 0 || took <= 0 || !reply) return { charactersPerSecond: 0 }
  const characters = reply.reply.reduce((sum, step) => sum + ("chunks" in step ? step.chunks.join("").length : 0), 0)
  return { charactersPerSecond: (Math.max(characters, 1) / (took * factor)) * 1000 }
}

function providersOf(recording: Recording, stream: Model["stream"]): Provider[] {
  const models = recordedInfo(recording)
  const ids = [...new Set([...models.keys()].map((ref) => splitRef(ref).providerID))]
  return ids.map((id) => {
    const own = [...models].filter(([ref]) => splitRef(ref).providerID === id)
    return {
      id,
      name: id,
      models: async () => own.map(([, info]) => info),
      async model(modelID) {
        const info = own.find(([ref]) => splitRef(ref).modelID === modelID)?.[1] ?? defaultInfo(modelID)
        return { ref: { providerID: id, modelID }, info, stream }
      },
    }
  })
}

/** Returns the models that the recording names, and one for replies without a model. */
export function recordedInfo({ header, replies, prompts }: Recording): ReadonlyMap<string, ModelInfo> {
  const { "": plain = {}, ...named } = header.models ?? {}
  const refs = [...Object.keys(named), ...[...replies, ...prompts].flatMap(({ by }) => (by === undefined ? [] : [by]))]
  const known = refs.length > 0 ? [...new Set(refs)] : [NAMELESS]
  return new Map(
    known.map((ref) => {
      const base = defaultInfo(splitRef(ref).modelID)
      const { limit, cost, capabilities, ...rest } = named[ref] ?? plain
      const info: ModelInfo = {
        ...{ ...base, ...rest, id: base.id },
        limit: { ...base.limit, ...limit },
        cost: { ...base.cost, ...cost },
        capabilities: { ...base.capabilities, ...capabilities },
      }
      return [ref, info]
    }),
  )
}

/** The model of recordings that do not name a model. */
export const NAMELESS = "replay/recorded"

/** Splits `provider/model` at its first slash. */
export function splitRef(ref: string): { readonly providerID: string; readonly modelID: string } {
  const slash = ref.indexOf("/")
  return slash === -1
    ? { providerID: "replay", modelID: ref }
    : { providerID: ref.slice(0, slash), modelID: ref.slice(slash + 1) }
}
