import type { MessageWithParts, Part } from "@pawl/core/record"

/** A message for other programs. */
export interface ShownMessage {
  readonly id: string
  readonly role: "user" | "assistant"
  /** Epoch milliseconds. */
  readonly created: number
  readonly text: string
  readonly tools: readonly { readonly tool: string; readonly status: string; readonly title?: string }[]
  /** The error that ended the message. */
  readonly error?: string
}

export function shownMessage({ info, parts }: MessageWithParts): ShownMessage {
  const error = info.role === "assistant" ? info.error?.data.message : undefined
  return {
    ...{ id: info.id, role: info.role, created: info.time.created, text: textOf(parts) },
    tools: parts.flatMap((part) => {
      if (part.type !== "tool") return []
      const { status } = part.state
      return [{ tool: part.tool, status, ...(part.state.status === "completed" ? { title: part.state.title } : {}) }]
    }),
    ...(error === undefined ? {} : { error }),
  }
}

/** Returns the visible text, without synthetic parts that only the model reads. */
export function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])).join("\n\n")
}
