import type { FileContent, ModelMessage } from "@pawl/core/provider"

/** A file in a request, and its place. */
export interface MediaItem {
  readonly file: FileContent
  /** Indices into the messages, into the content of that message, and into the attachments of a tool's result. */
  readonly message: number
  readonly content: number
  readonly attachment?: number
  /** Set if no answered request had the file. */
  readonly isNew: boolean
}

/**
 * Returns the files of a request, in order. `accepted`: number of messages that the provider has accepted before; 0
 * after a change of the provider. Default: all messages up to the last one of the assistant
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
