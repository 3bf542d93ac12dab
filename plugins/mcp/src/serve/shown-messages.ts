import type { MessageWithParts, Part } from "@pawl/core/record"

/** A message as other programs get it. */
export interface ShownMessage {
  readonly id: string
  readonly role: "user" | "assistant"
  /** Epoch milliseconds. */
  readonly created: number
  readonly text: string
  readonly tools: readonly { readonly tool: string; readonly status: string; readonly title?: string }[]
  /** What ended it. */
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

/** What was said in it, without what only the model was told. */
export function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])).join("\n\n")
}
