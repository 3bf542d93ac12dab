import { createArrangement, createModelMessages, type ModelRef } from "@pawl/core/record"
import type { MessageWithParts, SessionID, Storage } from "@pawl/core/storage"
import { canonicalJSON } from "./json.ts"
import { messageWithPaths } from "./mapped-paths.ts"
import type { PathMapping } from "./path-mapping.ts"
import { sha256 } from "./record-hash.ts"

/**
 * The hash of all that a request to this model is made from: the model's messages from the boundary on, in order, with
 * what the user's messages say of the system prompt and the tools, without ids. Sessions with the same one are continued
 * alike. `paths` are applied first: the exporting side's hash with the mapping that the import was given equals the
 * importing side's. NotFoundError without such a session.
 */
export async function projectionHash(
  storage: Pick<Storage, "readContext">,
  sessionID: SessionID,
  model: ModelRef,
  { paths = [] }: { readonly paths?: readonly PathMapping[] } = {},
): Promise<string> {
  const { messages } = await storage.readContext(sessionID)
  const { lead, talk } = createArrangement()(messages)
  const placed = withPlaces([...lead, ...talk].map((message) => messageWithPaths(message, paths)))
  const asked = placed.flatMap(({ info }) => (info.role === "user" ? [{ system: info.system, tools: info.tools }] : []))
  return sha256(canonicalJSON([model.providerID, model.modelID, asked, createModelMessages()(placed, model)]))
}

/** With places for ids: they sort in the same way, and are the same where the ids were made anew. */
function withPlaces(messages: readonly MessageWithParts[]): MessageWithParts[] {
  const places = new Map<string, string>(messages.map(({ info }, at) => [info.id, String(at).padStart(9, "0")]))
  const placeOf = (id: string) => `msg_${places.get(id) ?? ""}` as const
  return messages.map(({ info, parts }) => ({
    info:
      info.role === "user"
        ? { ...info, id: placeOf(info.id) }
        : { ...info, id: placeOf(info.id), parentID: placeOf(info.parentID) },
    parts: parts.map((part, at) => ({ ...part, id: `prt_${at}` as const })),
  }))
}
