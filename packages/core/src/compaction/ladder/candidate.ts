import type { IDSource, MessageID, PartID } from "../../base/ids.ts"
import type { JSONObject } from "../../base/json.ts"
import type {
  AssistantMessage,
  CompactionPart,
  MessageWithParts,
  ModelRef,
  Part,
  StepFinishPart,
  UserMessage,
} from "../../record/message.ts"
import type { Spent } from "../../record/spent.ts"
import type { Write } from "../../contracts/storage.ts"
import { type CompactionRecord, contextStart } from "../../record/compaction-record.ts"
import type { StateText } from "./render-state.ts"

export type Strategy = "summary" | "extract" | "tail"

/** A compaction that can be applied. */
export interface Candidate {
  readonly strategy: Strategy
  readonly text: string
  /** The reason if a model's summary was requested but is not used. */
  readonly reason?: string | undefined
  /** The model that wrote the text, and its usage. */
  readonly model: ModelRef
  readonly spent: Spent
  readonly kept: Kept
  /** Maximum characters of the open requests. Default: unlimited */
  readonly longestRequest?: number | undefined
  /** Newest measurement of the conversation's model. */
  readonly measured?: StepFinishPart["measured"]
}

/** Messages that stay unchanged. */
export interface Kept {
  readonly tail: readonly MessageWithParts[]
  /** Ids of earlier messages or parts. */
  readonly ids: readonly string[]
  /** The messages with these ids, or with parts of these ids. */
  readonly messages: readonly MessageWithParts[]
}

export interface CandidateDeps {
  readonly ids: IDSource
  readonly now: () => number
}

const CONTINUE_PROMPT =
  "Continue with the user's request where you left off. If nothing is left to do, say what was done; if you need to know something first, ask."

/** Returns the writes of a candidate's summary message, behind `newest`. */
export function summaryWrites(
  { ids, now }: CandidateDeps,
  { marker }: CompactionRecord,
  { strategy, text, reason, model, spent, measured }: Candidate,
  position: { readonly newest: MessageID; readonly path: AssistantMessage["path"] },
): Write[] {
  const time = now()
  const { tokens, cost } = spent
  const id = ids.message(position.newest)
  const owner = { sessionID: marker.info.sessionID, messageID: id }
  const message: AssistantMessage = {
    ...{ id, sessionID: marker.info.sessionID, role: "assistant", parentID: marker.info.id, summary: true },
    ...{ ...model, agent: "compaction", mode: "compaction", path: position.path, ...spent, finish: "stop" },
    time: { created: time, completed: time },
  }
  const metadata: JSONObject = { strategy, ...(reason === undefined ? {} : { reason }) }
  const textID = ids.part()
  const parts: Part[] = [
    { ...owner, id: textID, type: "text", text, metadata, time: { start: time, end: time } },
    {
      ...owner,
      id: ids.part(textID),
      type: "step-finish",
      reason: "stop",
      cost,
      tokens,
      ...(measured ? { measured } : {}),
    },
  ]
  return [{ type: "message.put", message }, ...parts.map((part): Write => ({ type: "part.put", part }))]
}

/** Good answers before a compaction: the count since the last compaction, and the id of the newest. */
interface Counted {
  readonly answers: number | undefined
  readonly answered: MessageID | undefined
}

/**
 * Returns the writes that apply a summary: the kept messages, the state beside it, and the new start of the context.
 */
export function applyWrites(
  { ids }: CandidateDeps,
  { marker, part }: CompactionRecord,
  kept: Kept,
  {
    state,
    through,
    counted,
  }: { readonly state: readonly StateText[]; readonly through: MessageID; readonly counted: Counted },
): Write[] {
  const { id: messageID, sessionID } = marker.info
  const { prepared: _prepared, ...request } = part
  const { answers, answered } = counted
  const count = { ...(answers === undefined ? {} : { answers }), ...(answered === undefined ? {} : { answered }) }
  const applied = { ...request, ...stays(kept, part.through ?? through), ...count }
  let last: PartID = part.id
  return [
    {
      type: "part.put",
      part: applied,
    },
    ...state.map(({ kind, text, value, missing, loaded }): Write => {
      last = ids.part(last)
      const metadata = {
        compaction: "state",
        kind,
        ...(value === undefined ? {} : { value }),
        ...(missing === undefined ? {} : { missing }),
        ...(loaded ? { loaded } : {}),
      }
      return {
        type: "part.put",
        part: { id: last, sessionID, messageID, type: "text", text, synthetic: true, metadata },
      }
    }),
    { type: "session.patch", changes: { boundary: boundaryOf(marker, applied, kept) } },
  ]
}

/** Returns the writes of the synthetic user message on which the agent continues. */
export function continueWrites(
  { ids, now }: CandidateDeps,
  user: Pick<UserMessage, "sessionID" | "agent" | "model" | "variant" | "system" | "tools">,
  newest: MessageID,
): Write[] {
  const id = ids.message(newest)
  const { sessionID, agent, model, variant, system, tools } = user
  const optional = {
    ...(variant === undefined ? {} : { variant }),
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined ? {} : { tools }),
  }
  const message: UserMessage = { id, sessionID, role: "user", time: { created: now() }, agent, model, ...optional }
  const metadata = { compaction_continue: true }
  const owner = { id: ids.part(), sessionID, messageID: id }
  return [
    { type: "message.put", message },
    { type: "part.put", part: { ...owner, type: "text", text: CONTINUE_PROMPT, synthetic: true, metadata } },
  ]
}

/** Returns the marker's fields about kept messages. */
export function stays(
  { tail, ids }: Pick<Kept, "tail" | "ids">,
  through: MessageID,
): Pick<CompactionPart, "through" | "tail_start_id" | "keep"> {
  const start = oldest(tail.filter(({ info }) => info.id <= through))
  return { through, ...(start ? { tail_start_id: start } : {}), ...(ids.length > 0 ? { keep: [...ids] } : {}) }
}

/** Returns the start of the context. It includes messages of which single parts are kept. */
function boundaryOf({ info }: CompactionRecord["marker"], part: CompactionPart, { messages }: Kept): MessageID {
  const start = contextStart({ info, parts: [part] })
  const kept = oldest(messages)
  return kept && kept < start ? kept : start
}

function oldest(messages: readonly MessageWithParts[]): MessageID | undefined {
  return messages.reduce<MessageID | undefined>((first, { info }) => {
    return first === undefined || info.id < first ? info.id : first
  }, undefined)
}
