import type { MessageWithParts, Part } from "../record/message.ts"

/**
 * Paths of the nested instruction files that the model can read in these messages: a tool result says in
 * `metadata.loaded` which it brought, and so does a synthetic text that repeats them. What a cleared result brought
 * counts no more.
 */
export function loadedInstructions(messages: readonly MessageWithParts[]): Set<string> {
  const loaded = new Set<string>()
  for (const { parts } of messages) {
    for (const part of parts) {
      const paths = metadataOf(part)?.["loaded"]
      if (!Array.isArray(paths)) continue
      for (const path of paths) if (typeof path === "string") loaded.add(path)
    }
  }
  return loaded
}

function metadataOf(part: Part): Readonly<Record<string, unknown>> | undefined {
  if (part.type === "text" && part.synthetic && !part.ignored) return part.metadata
  if (part.type !== "tool" || part.state.status !== "completed") return undefined
  return part.state.time.compacted === undefined ? part.state.metadata : undefined
}
