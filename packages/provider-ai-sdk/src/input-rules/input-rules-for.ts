import type { InputRules, ModelRef } from "@pawl/core/provider"
import { anthropicImageTokens, googleImageTokens, openaiImageTokens } from "./image-tokens.ts"
import { type Vendor, vendorOf } from "./vendor-of.ts"

const MIB = 1_048_576
const WEB_IMAGES = ["image/png", "image/jpeg", "image/webp", "image/gif"]
const SPEECH = ["audio/wav", "audio/mp3", "audio/mpeg"]

/**
 * Rules from the vendors' pages and error messages. Limits of a whole request leave some room for its text.
 *
 * - Anthropic ("Vision", "PDF support"): its tokens are shorter than those of others. 1,500 to 3,000 tokens for a page's
 *   text, plus the page as an image. 5 MB and 8,000 pixels for an image, but 2,000 pixels if a request has more than 20
 *   images. An image above 2,000 would break the session at the 21st image. The lower limit loses nothing, because
 *   Anthropic scales all images to 1,568.
 * - OpenAI ("Images and vision", "File inputs"): a page's text and image. 50 MB and 500 images for a request, 20 MB for
 *   an image. No limit on pixels is documented; larger images are scaled to 2,048. "Realtime conversations": 10 tokens
 *   per second.
 * - Google ("Image understanding", "Document understanding"): 258 tokens for a page, 32 per second of audio. 20 MB for a
 *   request with inline data, 3,600 images, no GIF.
 */
const rules: { readonly [V in Vendor]: InputRules } = {
  anthropic: {
    bytesPerToken: 3.5,
    fileTokens: { image: anthropicImageTokens, anyImage: 1_600, page: 3_000, second: 32 },
    fileLimits: {
      image: { mimes: WEB_IMAGES, bytes: 5 * MIB, side: 2_000, count: 100 },
      document: { bytes: 24 * MIB },
      audio: undefined,
      video: undefined,
      requestBytes: 24 * MIB,
    },
  },
  openai: {
    bytesPerToken: 4,
    fileTokens: { image: openaiImageTokens, anyImage: 1_105, page: 2_000, second: 10 },
    fileLimits: {
      image: { mimes: WEB_IMAGES, bytes: 20 * MIB, side: 8_000, count: 500 },
      document: { bytes: 32 * MIB },
      audio: { mimes: SPEECH, bytes: 20 * MIB },
      video: undefined,
      requestBytes: 40 * MIB,
    },
  },
  google: {
    bytesPerToken: 4,
    fileTokens: { image: googleImageTokens, anyImage: 1_032, page: 258, second: 32 },
    fileLimits: {
      image: {
        mimes: ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"],
        bytes: 7 * MIB,
        side: 8_000,
        count: 3_000,
      },
      document: { bytes: 15 * MIB },
      audio: { mimes: [...SPEECH, "audio/aiff", "audio/aac", "audio/ogg", "audio/flac"], bytes: 15 * MIB },
      video: {
        mimes: ["video/mp4", "video/mpeg", "video/mov", "video/quicktime", "video/webm", "video/x-flv", "video/3gpp"],
        bytes: 15 * MIB,
      },
      requestBytes: 15 * MIB,
    },
  },
}

/** Returns the rules of the model's vendor. Undefined if the vendor is unknown: the engine has rules for such models. */
export function inputRulesFor(ref: ModelRef): InputRules | undefined {
  const vendor = vendorOf(ref)
  return vendor && rules[vendor]
}
