import type { FileContent, ModelMessage } from "../../contracts/model.ts"

/** A file in a request, with its place. */
export interface MediaItem {
  readonly file: FileContent
  /** Indices into the messages, into the content of that message, and into the attachments of a tool's result. */
  readonly message: number
  readonly content: number
  readonly attachment?: number
  /** No request that was answered had it yet. */
  readonly isNew: boolean
}

/**
 * In the order of the request. `accepted`: how many messages the provider has taken before; by default all up to the
 * last of the assistant, for that one answers them. After a change of the provider none: 0.
 */
export function mediaItems(messages: readonly ModelMessage[], accepted = answered(messages)): MediaItem[] {
  return messages.flatMap(({ content }, message) => {
    const isNew = message >= accepted
    return content.flatMap((item, at): MediaItem[] => {
      if (item.type === "file") return [{ file: item, message, content: at, isNew }]
      if (item.type !== "tool-result") return []
      return (item.attachments ?? []).map((file, attachment) => ({ file, message, content: at, attachment, isNew }))
    })
  })
}

function answered(messages: readonly ModelMessage[]): number {
  return messages.findLastIndex(({ role }) => role === "assistant") + 1
}
