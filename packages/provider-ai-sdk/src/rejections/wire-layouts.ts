import type { ModelMessage, ModelRequest } from "@pawl/core/provider"
import type { MediaItem } from "./media-items.ts"

/** A message as it is sent: for each content block its file, or undefined. */
interface WireMessage {
  readonly role: ModelMessage["role"]
  readonly blocks: readonly (MediaItem | undefined)[]
}

/** The content blocks of a request, by the indices in a provider's error. */
export type WireLayout = readonly WireMessage["blocks"][]

export type WireFormat = "anthropic" | "google" | "chat" | "responses"

/**
 * Returns possible layouts of a request in a format, the likeliest first. Files of results follow in a user message.
 */
export function wireLayouts(
  format: WireFormat,
  { system, messages }: Pick<ModelRequest, "system" | "messages">,
  items: readonly MediaItem[],
): WireLayout[] {
  const plain = messages.flatMap((message, at) => {
    return wireMessages(
      message,
      items.filter((item) => item.message === at),
    )
  })
  switch (format) {
    case "anthropic":
      return [merged(plain)]
    case "google":
      return [plain.map(({ blocks }) => blocks)]
    case "chat":
      return withSystem(
        plain.flatMap(({ role, blocks }) => (role === "tool" ? eachAlone(blocks) : [blocks])),
        system,
      )
    case "responses": {
      const layout = plain.flatMap(({ role, blocks }) => (role === "user" ? [blocks] : eachAlone(blocks)))
      return withSystem(layout, system)
    }
  }
}

function wireMessages({ role, content }: ModelMessage, items: readonly MediaItem[]): WireMessage[] {
  if (content.length === 0) return []
  if (role !== "tool") return [{ role, blocks: content.map((_each, at) => items.find((item) => item.content === at)) }]
  const results: WireMessage = { role, blocks: content.map(() => undefined) }
  // The text precedes the files.
  return items.length > 0 ? [results, { role: "user", blocks: [undefined, ...items] }] : [results]
}

/** Merges consecutive messages of the user and of tools, which are one message in this format. */
function merged(messages: readonly WireMessage[]): WireLayout {
  const layout: (MediaItem | undefined)[][] = []
  let last: "assistant" | "user" | undefined
  for (const { role, blocks } of messages) {
    const side = role === "assistant" ? role : "user"
    if (side === last) layout.at(-1)?.push(...blocks)
    else layout.push([...blocks])
    last = side
  }
  return layout
}

function eachAlone(blocks: WireMessage["blocks"]): WireLayout {
  return blocks.map((block) => [block])
}

/**
 * Returns layouts with the system prompt at the beginning: as one message, as a message for each block, or elsewhere.
 */
function withSystem(layout: WireLayout, system: readonly string[]): WireLayout[] {
  const counts = new Set([Math.min(1, system.length), system.length, 0])
  return [...counts].map((count) => [...Array.from({ length: count }, () => []), ...layout])
}
