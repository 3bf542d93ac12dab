import type { MessageID, Part, PartID, SessionID } from "@pawl/core/storage"
import * as schemas from "@pawl/core/schemas"
import { isObject, without } from "../json.ts"
import { countOr, timeOr, record, textOr } from "./foreign.ts"
import type { Report } from "./reader.ts"

export interface PartOwner {
  readonly sessionID: SessionID
  readonly messageID: MessageID
  /** Creation time of the message. It and `completed` replace missing times of parts. */
  readonly created: number
  readonly completed: number | undefined
}

type Fields = Record<string, unknown>
/** Part types that OpenCode has too. */
type KnownType = Exclude<Part["type"], "question" | "answer" | "usage">
type Complete = (raw: Fields, owner: PartOwner) => Fields

/** Adds what older versions left out of a part. Unknown fields stay. */
const complete: Readonly<Record<KnownType, Complete>> = {
  text: (raw, owner) => (owner.completed === undefined ? raw : { ...raw, time: ended(raw["time"], owner) }),
  reasoning: (raw, owner) => ({ ...raw, time: ended(raw["time"], owner) }),
  file: (raw) => raw,
  tool: (raw, owner) => ({
    ...raw,
    callID: textOr(raw["callID"], String(raw["id"])),
    state: toolState(record(raw["state"]), owner),
  }),
  "step-start": (raw) => raw,
  "step-finish": (raw) => ({
    ...raw,
    reason: textOr(raw["reason"], "unknown"),
    cost: countOr(raw["cost"], 0),
    tokens: tokens(raw["tokens"]),
  }),
  snapshot: (raw) => raw,
  patch: (raw) => ({ ...raw, files: Array.isArray(raw["files"]) ? raw["files"] : [] }),
  agent: (raw) => raw,
  subtask: (raw) => ({ ...raw, description: textOr(raw["description"], ""), prompt: textOr(raw["prompt"], "") }),
  retry: (raw, { created }) => ({
    ...raw,
    error: storedError(raw["error"]),
    time: { created, ...record(raw["time"]) },
  }),
  compaction: (raw) => ({ ...raw, auto: raw["auto"] === true }),
}

/**
 * Converts OpenCode's part to pawl's. A part of unknown type or shape is kept in the metadata of a text part that is
 * not sent to models. Returns undefined if the part has no id.
 */
export function mappedPart(raw: unknown, owner: PartOwner, report: Report): Part | undefined {
  if (!isObject(raw) || !schemas.partID.safeParse(raw["id"]).success) {
    report(owner.messageID, "A part of this message has no id of a part and was left out.")
    return undefined
  }
  const { sessionID, messageID } = owner
  const id = raw["id"] as PartID
  const { type } = raw
  if (typeof type === "string" && Object.hasOwn(complete, type)) {
    const part = { ...complete[type as KnownType](raw, owner), id, sessionID, messageID }
    if (schemas.part.safeParse(part).success) return part as unknown as Part
  }
  report(id, `A part of type ${JSON.stringify(type)} whose shape is not known was kept as a note.`, "kept")
  return {
    id,
    sessionID,
    messageID,
    type: "text",
    text: `[OpenCode part: ${String(type)}]`,
    synthetic: true,
    ignored: true,
    time: { start: owner.created, end: owner.created },
    metadata: { opencode: raw },
  }
}

export function tokens(given: unknown): Fields {
  const { input, output, reasoning, cache } = record(given)
  const { read, write } = record(cache)
  return {
    ...record(given),
    input: countOr(input, 0),
    output: countOr(output, 0),
    reasoning: countOr(reasoning, 0),
    cache: { ...record(cache), read: countOr(read, 0), write: countOr(write, 0) },
  }
}

export function storedError(given: unknown): Fields {
  const error = record(given)
  const name = textOr(error["name"], "UnknownError")
  const content = record(error["data"])
  return { ...error, name, data: { ...content, message: textOr(content["message"], name) } }
}

/** Adds an end time to text and reasoning of a completed message; otherwise they would count as interrupted. */
function ended(time: unknown, { created, completed }: PartOwner): Fields {
  const given = record(time)
  const start = timeOr(given["start"], created)
  const end = given["end"] ?? (completed === undefined ? undefined : Math.max(start, completed))
  return { ...given, start, ...(end !== undefined && { end }) }
}

function toolState(state: Fields, owner: PartOwner): Fields {
  const input = isObject(state["input"])
    ? state["input"]
    : state["input"] === undefined
      ? {}
      : { value: state["input"] }
  const { created, completed = created } = owner
  const given = { ...state, input }
  switch (state["status"]) {
    case "pending":
      return { ...given, raw: textOr(state["raw"], "") }
    case "running":
      return { ...given, time: { start: created, ...record(state["time"]) } }
    case "error":
      return {
        ...given,
        error: textOr(state["error"], ""),
        time: { start: created, end: completed, ...record(state["time"]) },
      }
    case "completed": {
      const attachments = state["attachments"]
      return {
        ...(Array.isArray(attachments) ? given : without(given, ["attachments"])),
        output: textOr(state["output"], ""),
        title: textOr(state["title"], ""),
        metadata: record(state["metadata"]),
        time: { start: created, end: completed, ...record(state["time"]) },
      }
    }
    default:
      return given
  }
}
