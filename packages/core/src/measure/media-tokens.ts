import type { FileContent } from "../contracts/model.ts"
import type { ModelRef } from "../record/message.ts"
import { readDataURL } from "./data-url.ts"
import { type ImageSize, imageSize } from "./image-size.ts"
import { pdfPages } from "./pdf-pages.ts"
import { type ProviderFamily, providerFamily } from "./provider-family.ts"

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

interface MediaPrices {
  image(size: ImageSize): number
  /** Tokens of an image of unknown size. */
  readonly anyImage: number
  readonly page: number
  /** Tokens of a second of audio. */
  readonly second: number
}

/**
 * Tokens according to the vendors' documentation. Anthropic "Vision": width × height / 750 after scaling to 1,568
 * pixels and about 1,600 tokens. "PDF support": 1,500 to 3,000 for a page's text, plus the page as an image. OpenAI
 * "Images and vision": 85, plus 170 for each tile of 512 pixels after scaling into 2,048 × 2,048 and to 768 on the
 * short side. "File inputs": a page's text and image. "Realtime conversations": 10 per second. Google "Understand and
 * count tokens": 258 for an image up to 384 pixels, for each tile of 768 beyond, and for a page of a document; 32 per
 * second of audio. Other vendors: by area, as most of them count, up to four large tiles.
 */
const prices: { readonly [F in ProviderFamily]: MediaPrices } = {
  anthropic: { image: (size) => byArea(within(size, 1_568), 1_600), anyImage: 1_600, page: 3_000, second: 32 },
  openai: { image: openaiImage, anyImage: 1_105, page: 2_000, second: 10 },
  google: { image: googleImage, anyImage: 1_032, page: 258, second: 32 },
  other: { image: (size) => byArea(size, 6_400), anyImage: 1_600, page: 3_000, second: 32 },
}

/** Returns the input tokens of a file for this model. At least 1. */
export function mediaTokens(facts: MediaFacts, model: ModelRef): number {
  const price = prices[providerFamily(model)]
  switch (facts.type) {
    case "image":
      return facts.size ? price.image(facts.size) : price.anyImage
    case "pdf":
      return facts.pages * price.page
    case "audio":
      return Math.max(1, Math.ceil(facts.seconds * price.second))
    case "unknown":
      return Math.min(MAX_UNKNOWN_TOKENS, Math.max(1, Math.ceil(facts.bytes / BYTES_PER_TOKEN)))
  }
}

function byArea({ width, height }: ImageSize, most: number): number {
  return Math.min(most, Math.ceil((width * height) / 750))
}

function openaiImage(size: ImageSize): number {
  const fitted = within(size, 2_048)
  const shrink = Math.min(1, 768 / Math.min(fitted.width, fitted.height))
  return 85 + 170 * tiles(scaled(fitted, shrink), 512)
}

function googleImage(size: ImageSize): number {
  return 258 * (Math.max(size.width, size.height) <= 384 ? 1 : tiles(size, 768))
}

/** Scales a size down so that no side is longer than `longest`. */
function within(size: ImageSize, longest: number): ImageSize {
  return scaled(size, Math.min(1, longest / Math.max(size.width, size.height)))
}

function scaled({ width, height }: ImageSize, factor: number): ImageSize {
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
}

function tiles({ width, height }: ImageSize, side: number): number {
  return Math.ceil(width / side) * Math.ceil(height / side)
}
