import type { ModelRequest } from "@pawl/core/provider"
import type { MediaItem } from "./media-items.ts"
import { type WireFormat, type WireLayout, wireLayouts } from "./wire-layouts.ts"

/** Patterns of places in errors, by format. A third number is the index in a result's content. */
const paths: readonly (readonly [format: WireFormat, pattern: RegExp])[] = [
  ["anthropic", /messages\.(\d+)\.content\.(\d+)(?:\.tool_result\.content\.(\d+))?/g],
  ["google", /contents\[(\d+)\]\.parts\[(\d+)\]/g],
  ["chat", /messages\.?\[(\d+)\]\.content\.?\[(\d+)\]/g],
  ["responses", /input\.?\[(\d+)\]\.(?:content|output)\.?\[(\d+)\]/g],
]

/** Returns the files at the places that an error names, each once. Empty if it names no place with a file. */
export function findByPath(
  words: string,
  request: Pick<ModelRequest, "system" | "messages">,
  items: readonly MediaItem[],
): MediaItem[] {
  const found = paths.flatMap(([format, pattern]) => {
    const places = [...words.matchAll(pattern)]
    if (places.length === 0) return []
    const layouts = wireLayouts(format, request, items)
    return places.flatMap(([, message, block, inner]) => {
      const nested =
        inner === undefined ? undefined : inResult(request, items, Number(message), Number(block), Number(inner))
      return nested ?? layouts.map((layout) => itemAt(layout, Number(message), Number(block))).find(Boolean) ?? []
    })
  })
  return [...new Set(found)]
}

function itemAt(layout: WireLayout, message: number, block: number): MediaItem | undefined {
  return layout[message]?.[block]
}

/** Returns the file at an index of a result's content. Files in a result follow its text. */
function inResult(
  { messages }: Pick<ModelRequest, "messages">,
  items: readonly MediaItem[],
  message: number,
  block: number,
  inner: number,
): MediaItem | undefined {
  // Consecutive messages of tools and the user are one message in this format, with the results first.
  const turns = messages.flatMap(({ role }, at) => {
    const isNext = at === 0 || (role === "assistant") !== (messages[at - 1]?.role === "assistant")
    return isNext ? [at] : []
  })
  const files = items.filter((item) => item.message === turns[message] && item.content === block)
  return files[Math.min(Math.max(inner - 1, 0), files.length - 1)]
}
