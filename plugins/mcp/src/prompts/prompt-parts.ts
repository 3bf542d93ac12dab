import type { PromptPart } from "@pawl/core"
import { readContent, type ReadContent } from "../tools/content.ts"

/**
 * Converts a prompt's messages to the parts of one user prompt. If the assistant speaks as well, each message names its
 * role.
 */
export function promptParts(answer: Readonly<Record<string, unknown>>): readonly PromptPart[] {
  const messages = (Array.isArray(answer["messages"]) ? answer["messages"] : []) as {
    readonly role?: unknown
    readonly content?: unknown
  }[]
  const isDialogue = messages.some(({ role }) => role === "assistant")
  return messages.flatMap(({ role, content }) => {
    const parts = contentParts(readContent([content].flat()))
    if (!isDialogue) return parts
    const who = role === "assistant" ? "Assistant:" : "User:"
    return parts.map((part) => (part.type === "text" ? { ...part, text: `${who}\n${part.text}` } : part))
  })
}

export function contentParts({ texts, files }: ReadContent): readonly PromptPart[] {
  return [
    ...texts.map((text): PromptPart => ({ type: "text", text })),
    ...files.map(({ mime, url, filename }): PromptPart => {
      return { type: "file", mime, url, ...(filename === undefined ? {} : { filename }) }
    }),
  ]
}
