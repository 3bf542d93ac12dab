import type { ResizeImage } from "@pawl/core/host"
import type { Sharp } from "sharp"
import { encodings } from "./encodings.ts"

/** Limits a decoded image: a small file may hold a large one. */
const MAX_PIXELS = 100_000_000
/** Each try has three quarters of the width and height of the one before. */
const STEP = 0.75
const MAX_ATTEMPTS = 6

/**
 * Shrinks an image to the bounds. Keeps PNG, JPEG and WebP if allowed and small enough, otherwise converts to PNG or JPEG.
 * Keeps the first of several frames and applies the orientation. Loads the decoder at the first call. Returns undefined
 * if the image cannot be decoded or does not become small enough.
 */
export const resizeImage: ResizeImage = async (content, bounds) => {
  try {
    const { default: sharp } = await import("sharp")
    const open = () => sharp(content, { limitInputPixels: MAX_PIXELS, failOn: "error" }).autoOrient()
    const { format, hasAlpha } = await open().metadata()
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const factor = STEP ** attempt
      const image = withinBounds(open(), bounds.width * factor, bounds.height * factor)
      for (const { mime, encode } of encodings(format, hasAlpha, bounds.mimes)) {
        const drawn = await encode(image.clone()).toBuffer()
        if (encodedBytes(drawn) <= bounds.bytes) return { mime, content: drawn }
      }
    }
    return undefined
  } catch {
    // The caller omits the image and reports it.
    return undefined
  }
}

function withinBounds(image: Sharp, width: number, height: number): Sharp {
  const box = { width: Math.max(1, Math.floor(width)), height: Math.max(1, Math.floor(height)) }
  return image.resize({ ...box, fit: "inside", withoutEnlargement: true })
}

/** As base64. */
function encodedBytes({ length }: Uint8Array): number {
  return Math.ceil(length / 3) * 4
}
