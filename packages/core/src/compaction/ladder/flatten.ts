import type { MessageWithParts, Part, ToolPart } from "../../record/message.ts"

/** Characters of one tool output in what the summarizer reads. */
const LONGEST_OUTPUT = 2000

/** A message as text for a summarizer, a block for each part that says something. Media are named, not given. */
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
  return text.length <= LONGEST_OUTPUT ? text : `${text.slice(0, LONGEST_OUTPUT).toWellFormed()}\n[truncated]`
}
