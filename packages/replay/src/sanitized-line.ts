import { isPlainName } from "@pawl/secrets"
import { shapedURL, shapeOf } from "./shape.ts"

// Fields that keep their values if only the shape of content is kept: they identify things.

/** Structural fields of a recording. */
const STRUCTURE: ReadonlySet<string> = new Set([
  ...[
    "recording",
    "pawl",
    "time",
    "platform",
    "sanitized",
    "plugins",
    "session",
    "id",
    "parent",
    "call",
    "agent",
    "by",
  ],
  ...[
    "variant",
    "system",
    "tools",
    "type",
    "role",
    "tool",
    "name",
    "callID",
    "kind",
    "finish",
    "status",
    "mime",
    "mode",
  ],
  ...[
    "permission",
    "reply",
    "reason",
    "sessionID",
    "messageID",
    "parentID",
    "providerID",
    "modelID",
    "format",
    "version",
  ],
  ...[
    "projectID",
    "hash",
    "tail_start_id",
    "through",
    "answered",
    "boundary",
    "origin",
    "model",
    "directory",
    "worktree",
  ],
])
/** Fields of arguments and metadata that refer to subagents. */
const LINKS: ReadonlySet<string> = new Set(["subagent_type", "task_id", "sessionId"])
/** Fields in which everything is content, whatever its name. */
export const CONTENT: ReadonlySet<string> = new Set(["input", "output", "metadata", "patterns", "attachments", "blobs"])
/** Fields that are kept unchanged: numbers, settings and schemas. */
const KEPT: ReadonlySet<string> = new Set(["models", "settings", "inputSchema", "usage"])

/** Replaces the content of a parsed line by its shape. `plain` is applied to each text first. */
export function shapedLine(value: unknown, plain: (text: string) => string, key = "", isContent = false): unknown {
  if (typeof value === "string") {
    if (LINKS.has(key) || (!isContent && STRUCTURE.has(key))) return value
    if (key === "arguments") return shapedArguments(value, plain)
    return key === "url" ? shapedURL(value) : shapeOf(plain(value))
  }
  if (Array.isArray(value)) return value.map((item) => shapedLine(item, plain, key, isContent))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (!isContent && KEPT.has(name)) return [name, inner]
      // A script line with its model has no content.
      if (key === "" && name === "model" && typeof inner === "object") return [name, inner]
      const shown = isContent && !isPlainName(name) ? shapeOf(plain(name)) : name
      return [shown, shapedLine(inner, plain, name, isContent || CONTENT.has(name))]
    }),
  )
}

/** Parses the arguments first, so that escape sequences count as the characters that they stand for. */
function shapedArguments(text: string, plain: (text: string) => string): string {
  try {
    return JSON.stringify(shapedLine(JSON.parse(text), plain, "input", true))
  } catch {
    return shapeOf(plain(text))
  }
}
