import type { ModelRequest, ProviderError, ProviderErrorKind, RejectedFiles } from "@pawl/core/provider"
import { findByPath } from "./find-by-path.ts"
import { narrowByWords } from "./narrow-by-words.ts"
import { type MediaItem, mediaItems } from "./media-items.ts"
import { rejectionWords } from "./rejection-words.ts"

/**
 * Finds the files that a provider refused, by its error: the place in the request, else words about type, size or
 * number, else the newest file that no answered request had. Undefined if the error is not about files. Most errors are
 * about one file; errors about the number, or of a model without vision, are about many. `accepted`: see `mediaItems`.
 */
export function findRejected(
  error: ProviderError,
  request: Pick<ModelRequest, "system" | "messages">,
  accepted?: number,
): RejectedFiles | undefined {
  const items = mediaItems(request.messages, accepted)
  if (items.length === 0 || !aboutRequest.includes(error.kind)) return undefined
  const words = rejectionWords(error)
  if (error.kind === "overflow" && TOO_LONG.test(words.all)) return undefined
  const found = aboutMedia(words.all) ? (named(words.all, request, items) ?? []) : suspected(error, words.all, items)
  if (found.length === 0) return undefined
  return { files: found.map(({ file }) => file), reason: `the provider refused it: ${words.short}` }
}

const aboutRequest: readonly ProviderErrorKind[] = ["invalid-request", "content-policy", "overflow", "unknown"]

/**
 * Matches words about media. Skips parts of longer names and of addresses, because names of models contain such words.
 */
const MEDIA =
  /(?<![-\w/])(?:images?|image_url|input_image|pictures?|pdfs?|input_file|file_data|documents?|media|media_?type|mime(?:_?type)?|inline_?data|input_audio|audio|videos?|vision|multi-?modal|referenced files)(?![-\w])/i
/** Matches errors about other things: tool descriptions may contain any word, and signatures are encoded like files. */
const OTHER =
  /\b(?:input_schema|function_declarations|tool_choice|tool_use|thought_?signature|tools[.[]\d)|schema for function|\bmodel\b[^.]* (?:not found|does not exist)/i

function aboutMedia(words: string): boolean {
  return MEDIA.test(words) && !OTHER.test(words)
}

function named(
  words: string,
  request: Pick<ModelRequest, "system" | "messages">,
  items: readonly MediaItem[],
): MediaItem[] | undefined {
  const byPath = findByPath(words, request, items)
  return byPath.length > 0 ? byPath : narrowByWords(words, items)
}

/** Matches errors without a cause. */
const VAGUE = /request contains an invalid argument|provider returned error/i
const TOO_LARGE = /request_too_large|exceeds the maximum size|payload size exceeds|(?:payload|entity) too large/i
const TOO_LONG = /\btokens?\b|context (?:length|window)|prompt is too long/i
/** Minimum length of a file's URL to be the reason of a request with too many bytes. */
const MIN_LARGE_LENGTH = 256 * 1_024

/** Returns the likely files if the words do not name them: a new file is the most likely reason. */
function suspected(error: ProviderError, words: string, items: readonly MediaItem[]): MediaItem[] {
  if (OTHER.test(words)) return []
  const isNew = items.filter((item) => item.isNew)
  if (TOO_LARGE.test(words) || error.details.statusCode === 413) {
    const large = (isNew.length > 0 ? isNew : items).filter(({ file }) => file.url.length >= MIN_LARGE_LENGTH)
    return large.toSorted((a, b) => b.file.url.length - a.file.url.length).slice(0, 1)
  }
  return error.kind === "invalid-request" && VAGUE.test(words) ? isNew.slice(-1) : []
}
