import { jsonBytes, textBytes } from "./measure.ts"
import type { JSONObject, JSONValue } from "../base/json.ts"
import type { Write } from "../contracts/storage.ts"
import { evenShare, truncateBytes } from "./truncate.ts"
import type { MessageWithParts, Part, ReasoningPart, TextPart, ToolPart } from "../record/message.ts"

/**
 * Returns the writes that reduce what requests show of these answers by about `excess` bytes: long texts, reasoning and
 * inputs of calls are shortened to the same size. Their stored content stays complete. Empty if no part gets shorter.
 */
export function shortenWrites(messages: readonly MessageWithParts[], excess: number): Write[] {
  const parts = messages.flatMap((message) => message.parts.filter((part) => isOfAnswer(message, part)))
  const sizes = parts.map((part) => shownSize(part))
  const share = evenShare(sizes, sizes.reduce((sum, size) => sum + size, 0) - excess)
  return parts.flatMap((whole, at): Write[] => {
    const size = sizes[at] ?? 0
    const part = { ...whole, shownBytes: share }
    return size > share && shownSize(part) < size ? [{ type: "part.put", part }] : []
  })
}

type AnswerPart = TextPart | ReasoningPart | ToolPart

/** Returns whether a part of an answer may be shortened. Providers require signed reasoning unchanged. */
function isOfAnswer({ info }: MessageWithParts, part: Part): part is AnswerPart {
  if (info.role !== "assistant") return false
  if (part.type === "reasoning") return part.metadata === undefined
  return part.type === "text" || (part.type === "tool" && part.metadata?.["providerExecuted"] !== true)
}

function shownSize(part: AnswerPart): number {
  if (part.type === "tool") return jsonBytes(shownInput(part.state.input as JSONObject, part.shownBytes))
  return textBytes(shownText(part.text, part.shownBytes))
}

/** Minimum bytes that are shown of a text. */
const MIN_SHOWN_BYTES = 60

/** Returns the beginning of a text of the model, at most about `bytes` bytes; all of it if `bytes` is undefined. */
export function shownText(text: string, bytes: number | undefined): string {
  if (bytes === undefined || textBytes(text) <= bytes) return text
  const shown = truncateBytes(text, "head", Math.max(MIN_SHOWN_BYTES, bytes - MARKER_BYTES))
  const shortened = shown ? `${shown.text}${marker(textBytes(text) - textBytes(shown.text))}` : text
  return textBytes(shortened) < textBytes(text) ? shortened : text
}

/**
 * Returns the input of a call with its long arguments shortened, so that its JSON takes at most about `bytes` bytes;
 * all of it if `bytes` is undefined. Shortened arguments become texts that say so.
 */
export function shownInput(input: JSONObject, bytes: number | undefined): JSONObject {
  if (bytes === undefined || jsonBytes(input) <= bytes) return input
  const fields = Object.entries(input)
  const sizes = fields.map(([, value]) => jsonBytes(value))
  const share = evenShare(sizes, bytes - fields.reduce((sum, [key]) => sum + jsonBytes(key) + 2, 2))
  const shown = Object.fromEntries(
    fields.map(([key, value], at) => [
      key,
      value !== undefined && (sizes[at] ?? 0) > share ? shownValue(value, share) : value,
    ]),
  )
  if (jsonBytes(shown) <= Math.max(bytes, MAX_SHORTENED_BYTES)) return shown
  return { arguments: shownValue(input, bytes) }
}

/** Shortens a value. Scales the limit, because JSON escapes control characters with six characters. */
function shownValue(value: JSONValue, bytes: number): JSONValue {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const shown = shownText(text, Math.floor((bytes * textBytes(text)) / jsonBytes(text)))
  return jsonBytes(shown) < jsonBytes(value) ? shown : value
}

const MARKER_BYTES = 60
/** Size of a call with several arguments that are all shortened as far as possible. */
const MAX_SHORTENED_BYTES = 500

function marker(bytes: number): string {
  return `… [${bytes} more bytes, left out to save room]`
}
