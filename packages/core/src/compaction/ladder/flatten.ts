import type { MessageWithParts, Part, ToolPart } from "../../record/message.ts"

/** Maximum characters of a tool's input or output for the summarizer. */
const MAX_OUTPUT_LENGTH = 2000

/**
 * Returns a message as text for a summarizer, with a block for each part with content. Media are named, not included.
 */
export function flatten({ info, parts }: MessageWithParts): string[] {
  return parts.flatMap((part) => flattenPart(info.role, part))
}

function flattenPart(role: "user" | "assistant", part: Part): string[] {
  switch (part.type) {
    case "text":
      if (part.ignored || part.text.trim() === "") return []
      return [role === "user" ? `[User]: ${part.text}` : `[Assistant]: ${part.text}`]
    case "file":
      return [describeFile(part)]
    case "tool":
      return flattenCall(part)
    default:
      return []
  }
}

export function describeFile({ mime, filename }: { readonly mime: string; readonly filename?: string | undefined }) {
  return `[Attached ${mime}: ${filename ?? "file"}]`
}

function flattenCall({ tool, state }: ToolPart): string[] {
  const call = `[Assistant tool call]: ${tool}(${shortened(JSON.stringify(state.input))})`
  if (state.status === "completed") return [call, `[Tool result]: ${shortened(state.output)}`]
  if (state.status === "error") return [call, `[Tool error]: ${shortened(state.error)}`]
  return [call]
}

function shortened(text: string): string {
  return text.length <= MAX_OUTPUT_LENGTH ? text : `${text.slice(0, MAX_OUTPUT_LENGTH).toWellFormed()}\n[truncated]`
}
