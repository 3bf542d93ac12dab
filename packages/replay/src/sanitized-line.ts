import { isPlainName } from "@pawl/secrets"
import { shapedURL, shapeOf } from "./shape.ts"

// What stays as it is when only the shape of a recording is kept: what says which thing is meant, not what was said.

/** Fields of the recording's own. */
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
/** Fields of arguments and metadata by which subagents are found. */
const LINKS: ReadonlySet<string> = new Set(["subagent_type", "task_id", "sessionId"])
/** Fields below which all is content, whatever its name. */
export const CONTENT: ReadonlySet<string> = new Set(["input", "output", "metadata", "patterns", "attachments", "blobs"])
/** Kept whole: figures, settings, forms of arguments. */
const KEPT: ReadonlySet<string> = new Set(["models", "settings", "inputSchema", "usage"])

/** The line with the shape of what was said, read and written in place of it. `plain`: applied to each text first. */
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
      // A line with the model of a script, and nothing of what was said.
      if (key === "" && name === "model" && typeof inner === "object") return [name, inner]
      const shown = isContent && !isPlainName(name) ? shapeOf(plain(name)) : name
      return [shown, shapedLine(inner, plain, name, isContent || CONTENT.has(name))]
    }),
  )
}

/** As what the model wrote means: its letters stand for themselves behind a backslash. */
function shapedArguments(text: string, plain: (text: string) => string): string {
  try {
    return JSON.stringify(shapedLine(JSON.parse(text), plain, "input", true))
  } catch {
    return shapeOf(plain(text))
  }
}
