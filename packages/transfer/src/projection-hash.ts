import { createArrangement, createModelMessages, type ModelRef } from "@pawl/core/record"
import type { MessageWithParts, SessionID, Storage } from "@pawl/core/storage"
import { canonicalJSON } from "./json.ts"
import { messageWithPaths } from "./mapped-paths.ts"
import type { PathMapping } from "./path-mapping.ts"
import { sha256 } from "./record-hash.ts"

/**
 * Hashes everything that a request to this model is built from: the messages from the boundary on, with their system
 * prompt and tool settings, without ids. Sessions with equal hashes continue in the same way. `paths` are applied
 * first, so the exported session with the import's mapping has the same hash as the imported one. Rejects with
 * NotFoundError if the session is missing.
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

/** Replaces ids by positions, which sort in the same way and do not change when ids are replaced. */
function withPlaces(messages: readonly MessageWithParts[]): MessageWithParts[] {
  const positions = new Map<string, string>(messages.map(({ info }, at) => [info.id, String(at).padStart(9, "0")]))
  const positionOf = (id: string) => `msg_${positions.get(id) ?? ""}` as const
  return messages.map(({ info, parts }) => ({
    info:
      info.role === "user"
        ? { ...info, id: positionOf(info.id) }
        : { ...info, id: positionOf(info.id), parentID: positionOf(info.parentID) },
    parts: parts.map((part, at) => ({ ...part, id: `prt_${at}` as const })),
  }))
}
