import type { MediaLimits as ToldLimits, Model } from "../contracts/model.ts"
import { type ProviderFamily, providerFamily } from "../measure/provider-family.ts"

/** Media limits of a family of providers. Bytes are those of the base64 text, as it is sent. */
export interface MediaLimits {
  readonly image: {
    readonly mimes: readonly string[]
    readonly bytes: number
    /** Maximum pixels of the longer side. */
    readonly side: number
    /** Maximum number in a request. */
    readonly count: number
  }
  /** Limits of a PDF. Limits of pages are left to the provider, because the page count is only an estimate here. */
  readonly document: { readonly bytes: number } | undefined
  readonly audio: { readonly mimes: readonly string[]; readonly bytes: number } | undefined
  readonly video: { readonly mimes: readonly string[]; readonly bytes: number } | undefined
  /** Maximum bytes of all media of a request. */
  readonly requestBytes: number
}

const KIB = 1_024
const MIB = 1_024 * KIB
const WEB_IMAGES = ["image/png", "image/jpeg", "image/webp", "image/gif"]
const SPEECH = ["audio/wav", "audio/mp3", "audio/mpeg"]

/**
 * Limits by family, from the vendors' pages and error messages. Limits of a whole request leave some room for its text.
 *
 * - Anthropic ("Vision", "PDF support"): 5 MB and 8,000 pixels for an image, but 2,000 pixels if a request has more
 *   than 20 images. An image above 2,000 would break the session at the 21st image. The lower limit loses nothing,
 *   because Anthropic scales all images to 1,568.
 * - OpenAI ("Images and vision", "File inputs"): 50 MB and 500 images for a request, 20 MB for an image. No limit on
 *   pixels is documented; larger images are scaled to 2,048.
 * - Google ("Image understanding", "Document understanding"): 20 MB for a request with inline data, 3,600 images, no
 *   GIF.
 * - Others: unknown, so the limits that most of them accept.
 */
export const mediaLimits: { readonly [F in ProviderFamily]: MediaLimits } = {
  anthropic: {
    image: { mimes: WEB_IMAGES, bytes: 5 * MIB, side: 2_000, count: 100 },
    document: { bytes: 24 * MIB },
    audio: undefined,
    video: undefined,
    requestBytes: 24 * MIB,
  },
  openai: {
    image: { mimes: WEB_IMAGES, bytes: 20 * MIB, side: 8_000, count: 500 },
    document: { bytes: 32 * MIB },
    audio: { mimes: SPEECH, bytes: 20 * MIB },
    video: undefined,
    requestBytes: 40 * MIB,
  },
  google: {
    image: {
      mimes: ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"],
      bytes: 7 * MIB,
      side: 8_000,
      count: 3_000,
    },
    document: { bytes: 15 * MIB },
    audio: {
      mimes: [...SPEECH, "audio/aiff", "audio/aac", "audio/ogg", "audio/flac"],
      bytes: 15 * MIB,
    },
    video: {
      mimes: ["video/mp4", "video/mpeg", "video/mov", "video/quicktime", "video/webm", "video/x-flv", "video/3gpp"],
      bytes: 15 * MIB,
    },
    requestBytes: 15 * MIB,
  },
  other: {
    image: { mimes: WEB_IMAGES, bytes: 5 * MIB, side: 2_000, count: 20 },
    document: { bytes: 15 * MIB },
    audio: { mimes: SPEECH, bytes: 15 * MIB },
    video: undefined,
    requestBytes: 20 * MIB,
  },
}

/** Returns the limits of the model's family, narrowed by its catalogue. For other families the catalogue decides. */
export function limitsFor({ ref, info: { media } }: Pick<Model, "ref" | "info">): MediaLimits {
  const family = providerFamily(ref)
  const known = mediaLimits[family]
  if (!media) return known
  const least = (own: number, listed: number | undefined) => {
    if (listed === undefined) return own
    return family === "other" ? listed : Math.min(own, listed)
  }
  return {
    ...known,
    image: {
      ...known.image,
      bytes: least(known.image.bytes, encoded(media.imageBytes)),
      side: least(known.image.side, media.imageSide),
      count: least(known.image.count, media.imagesPerRequest),
    },
    requestBytes: least(known.requestBytes, encoded(media.requestBytes)),
  }
}

function encoded(bytes: ToldLimits["imageBytes"]): number | undefined {
  return bytes === undefined ? undefined : Math.ceil(bytes / 3) * 4
}
