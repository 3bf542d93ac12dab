import type { Part } from "@pawl/core"
import { isText } from "./prompt-of.ts"

/** Returns the prompt from which these stored parts of a message were made. */
export function promptParts(parts: readonly Part[]): object[] {
  return parts.flatMap((part, at) => promptPart(part, parts[at + 1]))
}

/** Returns the parts to send again, without those that the engine adds. The text of a file precedes the file. */
function promptPart(part: Part, next: Part | undefined): object[] {
  switch (part.type) {
    case "text": {
      if (!part.synthetic) return [{ type: "text", text: part.text }]
      return next?.type === "file" && isText(next) ? [{ type: "text", text: part.text, synthetic: true }] : []
    }
    case "file":
      return [{ type: "file", mime: part.mime, filename: part.filename, url: part.url }]
    case "agent":
      return [{ type: "agent", name: part.name }]
    case "subtask":
      return [{ type: "subtask", prompt: part.prompt, description: part.description, agent: part.agent }]
    default:
      return []
  }
}
