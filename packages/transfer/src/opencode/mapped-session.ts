import type { Session, SessionID } from "@pawl/core/storage"
import * as schemas from "@pawl/core/schemas"
import { isObject, without } from "../json.ts"
import { isText, timeOr, record, textOr } from "./foreign.ts"
import { isTime } from "../limits/value-bounds.ts"
import type { Report } from "./reader.ts"
import { fileDiffs } from "./file-diffs.ts"

/** Fields with a counterpart in pawl's session. All others go to `metadata.opencode`. */
const SHARED_FIELDS = [
  "projectID",
  "directory",
  "parentID",
  "title",
  "version",
  "agent",
  "summary",
  "permission",
  "revert",
  "metadata",
  "time",
]

export interface SessionIdentity {
  readonly id: SessionID
  /** OpenCode's id of the session. */
  readonly from: string
  readonly parentID: SessionID | undefined
}

/**
 * Converts OpenCode's session to pawl's. Reports and drops invalid fields. Returns undefined if it is not a session.
 */
export function mappedSession(
  raw: unknown,
  { id, from, parentID }: SessionIdentity,
  report: Report,
): Session | undefined {
  if (!isObject(raw)) return undefined
  const time = record(raw["time"])
  const created = timeOr(time["created"], 0)
  const model = modelOf(raw["model"])
  const session = {
    id,
    projectID: textOr(raw["projectID"], "global"),
    directory: textOr(raw["directory"], "/"),
    ...(parentID && { parentID }),
    title: textOr(raw["title"], "Untitled"),
    version: textOr(raw["version"], "unknown"),
    ...(isText(raw["agent"]) && { agent: raw["agent"] }),
    ...(model && { model }),
    ...optional("summary", summaryOf(raw["summary"]), schemas.session.shape.summary, from, report),
    ...optional("permission", raw["permission"], schemas.session.shape.permission, from, report),
    ...optional("revert", raw["revert"], schemas.session.shape.revert, from, report),
    metadata: { ...record(raw["metadata"]), opencode: without(raw, SHARED_FIELDS) },
    time: {
      created,
      updated: timeOr(time["updated"], created),
      ...(isTime(time["archived"]) && { archived: time["archived"] }),
    },
  }
  return schemas.session.safeParse(session).success ? (session as Session) : undefined
}

/** Returns an object with the field if its value is valid. */
function optional<Name extends string>(
  name: Name,
  value: unknown,
  schema: { safeParse(value: unknown): { success: boolean } },
  id: string,
  report: Report,
): Partial<Record<Name, unknown>> {
  if (value === undefined || value === null) return {}
  if (schema.safeParse(value).success) return { [name]: value } as Record<Name, unknown>
  report(`${id}.${name}`, "It has a shape that is not known and was left out.")
  return {}
}

function summaryOf(summary: unknown): unknown {
  if (!isObject(summary)) return summary
  return { ...summary, ...(summary["diffs"] !== undefined && { diffs: fileDiffs(summary["diffs"]) }) }
}

function modelOf(model: unknown): Session["model"] | undefined {
  const { providerID, id, modelID = id } = record(model)
  return isText(providerID) && isText(modelID) ? { providerID, modelID } : undefined
}
