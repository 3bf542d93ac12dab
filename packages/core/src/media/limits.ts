import type { MediaLimits as ToldLimits, Model } from "../contracts/model.ts"
import { type ProviderFamily, providerFamily } from "../measure/provider-family.ts"

/** What a family of providers takes of media. Bytes are those of the base64 text, as they travel. */
export interface MediaLimits {
  readonly image: {
    readonly mimes: readonly string[]
    readonly bytes: number
    /** Pixels of the longer side. */
    readonly side: number
    /** In one request. */
    readonly count: number
  }
  /** PDF. Pages have limits too, but how many there are is only guessed here: the provider has the last word. */
  readonly document: { readonly bytes: number } | undefined
  readonly audio: { readonly mimes: readonly string[]; readonly bytes: number } | undefined
  readonly video: { readonly mimes: readonly string[]; readonly bytes: number } | undefined
  /** All media of one request together. */
  readonly requestBytes: number
}

const KIB = 1_024
const MIB = 1_024 * KIB
const WEB_IMAGES = ["image/png", "image/jpeg", "image/webp", "image/gif"]
const SPEECH = ["audio/wav", "audio/mp3", "audio/mpeg"]

/**
 * As the vendors' pages and their refusals state them. Anthropic ("Vision", "PDF support"): 5 MB and 8,000 pixels for an
 * image, but 2,000 pixels as soon as a request has more than 20: an image that was fine when it came would then spoil
 * the session, and nothing is lost, since all are scaled to 1,568. OpenAI ("Images and vision", "File inputs"): 50 MB and
 * 500 images for a request, 20 MB for an image; no limit on pixels is stated, what is beyond 2,048 is scaled away. Google
 * ("Image understanding", "Document understanding"): 20 MB for a request with inline data, 3,600 images, no GIF. Some room is left of what holds for a whole request, for its text. Of others nothing is known: what most of them take.
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

/** Those of the model's family, narrowed by what its catalogue tells; where nothing is known of the family, that counts. */
export function limitsFor({ ref, info: { media } }: Pick<Model, "ref" | "info">): MediaLimits {
  const family = providerFamily(ref)
  const known = mediaLimits[family]
  if (!media) return known
  const least = (own: number, told: number | undefined) => {
    if (told === undefined) return own
    return family === "other" ? told : Math.min(own, told)
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
