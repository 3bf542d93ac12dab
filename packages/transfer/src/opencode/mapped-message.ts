import type { Message, MessageID, MessageWithParts, ModelRef, Part, Session } from "@pawl/core/record"
import * as schemas from "@pawl/core/schemas"
import { isObject } from "../json.ts"
import { fileDiffs } from "./file-diffs.ts"
import { isText, countOr, timeOr, record, textOr } from "./foreign.ts"
import { mappedPart, storedError, tokens } from "./mapped-part.ts"
import type { RawMessage, Report } from "./reader.ts"

export interface MessageSetting {
  readonly id: MessageID
  readonly session: Pick<Session, "id" | "directory">
  /** The next answer, for user messages of versions that did not store agent and model. */
  readonly answer: Answer | undefined
  /** The preceding prompt, for answers of versions that did not store it. */
  readonly question: MessageID | undefined
}

export interface Answer extends ModelRef {
  readonly agent: string
}

type Fields = Record<string, unknown>

const NO_MODEL: Answer = { providerID: "unknown", modelID: "unknown", agent: "build" }

/** Converts OpenCode's message to pawl's. Keeps unknown fields. Reports an invalid message and returns undefined. */
export function mappedMessage(raw: RawMessage, setting: MessageSetting, report: Report): MessageWithParts | undefined {
  const info = record(raw.info)
  const mapped = info["role"] === "user" ? toUser(info, setting) : toAssistant(info, setting)
  if (!schemas.message.safeParse(mapped).success) {
    report(
      String(info["id"]),
      `A message of role ${JSON.stringify(info["role"])} whose shape is not known was left out.`,
    )
    return undefined
  }
  const message = mapped as unknown as Message
  const completed = message.role === "assistant" ? message.time.completed : message.time.created
  const created = message.time.created
  const owner = { sessionID: setting.session.id, messageID: setting.id, created, completed }
  const parts = raw.parts
    .map((part) => mappedPart(part, owner, report))
    .filter((part): part is Part => part !== undefined)
  return { info: message, parts: parts.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
}

/** Returns true unless `question` is needed because the answer does not name its prompt. */
export function namesParent(info: unknown): boolean {
  return record(info)["role"] !== "assistant" || isText(record(info)["parentID"])
}

function toUser(info: Fields, { id, session, answer = NO_MODEL }: MessageSetting): Fields {
  const model = record(info["model"])
  const variant = info["variant"] ?? model["variant"]
  const { summary, ...rest } = info
  return {
    ...rest,
    id,
    sessionID: session.id,
    agent: textOr(info["agent"], answer.agent),
    model: {
      providerID: textOr(model["providerID"], answer.providerID),
      modelID: textOr(model["modelID"], answer.modelID),
    },
    ...(isText(variant) && { variant }),
    ...(isObject(summary) && { summary: { ...summary, diffs: fileDiffs(summary["diffs"]) } }),
    time: times(info),
  }
}

function toAssistant(info: Fields, { id, session, question }: MessageSetting): Fields {
  const path = record(info["path"])
  const mode = textOr(info["mode"], textOr(info["agent"], "build"))
  return {
    ...info,
    id,
    sessionID: session.id,
    parentID: textOr(info["parentID"], question ?? id),
    agent: textOr(info["agent"], mode),
    mode,
    path: { ...path, cwd: textOr(path["cwd"], session.directory), root: textOr(path["root"], session.directory) },
    cost: countOr(info["cost"], 0),
    tokens: tokens(info["tokens"]),
    ...(info["error"] !== undefined && { error: storedError(info["error"]) }),
    time: times(info),
  }
}

function times({ time }: Fields): Fields {
  const given = record(time)
  return { ...given, created: timeOr(given["created"], 0) }
}
