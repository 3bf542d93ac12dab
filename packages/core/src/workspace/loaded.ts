import type { MessageWithParts, Part } from "../record/message.ts"

/**
 * Returns the paths of the nested instruction files that the model can read in these messages. A tool result lists its
 * files in `metadata.loaded`, and so does a synthetic text that repeats them. Files of a cleared result no longer
 * count.
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
