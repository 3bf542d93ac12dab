import type { ImageSize } from "../contracts/input-rules.ts"
import type { FileContent, Model } from "../contracts/model.ts"
import { readDataURL } from "./data-url.ts"
import { defaultInputRules } from "./default-input-rules.ts"
import { imageSize } from "./image-size.ts"
import { pdfPages } from "./pdf-pages.ts"

/** Properties of a file that determine its tokens, for any provider. */
export type MediaFacts =
  /** `size` is missing if only the provider will load the image, or its header has no size. */
  | { readonly type: "image"; readonly size?: ImageSize }
  | { readonly type: "pdf"; readonly pages: number }
  | { readonly type: "audio"; readonly seconds: number }
  | { readonly type: "unknown"; readonly bytes: number }

/** Assumptions for files that only the provider will load. */
const REMOTE_PAGES = 10
const REMOTE_SECONDS = 60
const REMOTE_BYTES = 100_000
/** Bytes of compressed speech at 64 kbit/s. */
const AUDIO_BYTES_PER_SECOND = 8_000
const BYTES_PER_TOKEN = 16
const MAX_UNKNOWN_TOKENS = 20_000

/**
 * Reads the properties of a file from its header, or from the whole of a PDF of up to 4 MB. Callers should keep the
 * result: reading takes longer than computing the tokens.
 */
export function mediaFacts({ mime, url }: Pick<FileContent, "mime" | "url">): MediaFacts {
  const data = readDataURL(url)
  if (mime.startsWith("image/")) {
    const size = data && imageSize(data)
    return { type: "image", ...(size ? { size } : {}) }
  }
  if (mime === "application/pdf") return { type: "pdf", pages: data ? pdfPages(data) : REMOTE_PAGES }
  if (mime.startsWith("audio/")) {
    return { type: "audio", seconds: data ? audioSeconds(data.size, data.bytes(0, 32)) : REMOTE_SECONDS }
  }
  return { type: "unknown", bytes: data?.size ?? (url.startsWith("data:") ? url.length : REMOTE_BYTES) }
}

/** Returns the duration. A WAV states its bytes per second. */
function audioSeconds(size: number, head: Buffer): number {
  const isWAV = head.length === 32 && head.toString("latin1", 8, 16) === "WAVEfmt "
  return size / ((isWAV && head.readUInt32LE(28)) || AUDIO_BYTES_PER_SECOND)
}

/** Returns the input tokens of a file for this model. At least 1. */
export function mediaTokens(
  facts: MediaFacts,
  { inputRules: { fileTokens } = defaultInputRules }: Pick<Model, "inputRules">,
): number {
  switch (facts.type) {
    case "image":
      return facts.size ? fileTokens.image(facts.size) : fileTokens.anyImage
    case "pdf":
      return facts.pages * fileTokens.page
    case "audio":
      return Math.max(1, Math.ceil(facts.seconds * fileTokens.second))
    case "unknown":
      return Math.min(MAX_UNKNOWN_TOKENS, Math.max(1, Math.ceil(facts.bytes / BYTES_PER_TOKEN)))
  }
}
