import type { MessageWithParts, ModelRef, Part, SessionID, Storage } from "@pawl/core"
import { canonicalJSON, without } from "./json.ts"
import { messageWithPaths } from "./mapped-paths.ts"
import type { PathMapping } from "./path-mapping.ts"
import { sha256 } from "./record-hash.ts"

/**
 * The hash of all that a request to this model is made from: the messages from the boundary on, with their parts, in
 * order, without ids. Sessions with the same one are continued alike. `paths` are applied first: the exporting side's
 * hash with the mapping that the import was given equals the importing side's. NotFoundError without such a session.
 */
export async function projectionHash(
  storage: Pick<Storage, "readContext">,
  sessionID: SessionID,
  model: ModelRef,
  { paths = [] }: { readonly paths?: readonly PathMapping[] } = {},
): Promise<string> {
  const { messages } = await storage.readContext(sessionID)
  const places = new Map(messages.map(({ info }, at) => [info.id as string, at]))
  const projected = messages.map((message) => projection(messageWithPaths(message, paths), model, places))
  return sha256(canonicalJSON([model.providerID, model.modelID, projected]))
}

const IDS = ["id", "sessionID", "messageID"]

function projection({ info, parts }: MessageWithParts, model: ModelRef, places: ReadonlyMap<string, number>): unknown {
  if (info.role === "user") {
    return { role: info.role, system: info.system, tools: info.tools, parts: parts.flatMap((part) => content(part)) }
  }
  // Reasoning goes back to the model that wrote it only.
  const isOwn = info.providerID === model.providerID && info.modelID === model.modelID
  const sent = isOwn ? parts : parts.filter((part) => part.type !== "reasoning")
  const { role, finish, error } = info
  // The place of what it answers decides the order of turns.
  return { role, finish, error, answers: places.get(info.parentID), parts: sent.flatMap((part) => content(part)) }
}

function content(part: Part): unknown[] {
  switch (part.type) {
    case "text":
      return part.ignored ? [] : [{ type: part.type, text: part.text, ended: part.time?.end !== undefined }]
    case "reasoning":
      return [{ type: part.type, text: part.text, metadata: part.metadata, ended: part.time.end !== undefined }]
    case "file":
      return [without(part, [...IDS, "source"])]
    case "tool":
      return [{ ...without(part, [...IDS, "state"]), state: toolContent(part.state) }]
    case "compaction":
      return [without(part, IDS)]
    default:
      return []
  }
}

function toolContent(state: Extract<Part, { type: "tool" }>["state"]): unknown {
  const { status, input } = state
  if (status === "completed") {
    const attachments = state.attachments?.map((file) => without(file, [...IDS, "source"]))
    return { status, input, output: state.output, attachments, isCleared: state.time.compacted !== undefined }
  }
  return status === "error" ? { status, input, error: state.error } : { status, input }
}
