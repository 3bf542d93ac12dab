import type { ModelMessage } from "../../contracts/model.ts"
import { describeFile } from "./flatten.ts"

/** Replaces files by their names. Returns a message without files unchanged, so that cached prefixes stay valid. */
export function stripMedia(message: ModelMessage): ModelMessage {
  if (message.role === "user" && message.content.some(({ type }) => type === "file")) {
    const content = message.content.map((item) => {
      return item.type === "file" ? { type: "text" as const, text: describeFile(item) } : item
    })
    return { role: "user", content }
  }
  if (message.role === "tool" && message.content.some(({ attachments }) => attachments)) {
    return { role: "tool", content: message.content.map(({ attachments: _media, ...result }) => result) }
  }
  return message
}
