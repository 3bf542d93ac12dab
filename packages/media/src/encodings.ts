import type { Sharp } from "sharp"

export interface Encoding {
  readonly mime: string
  readonly encode: (image: Sharp) => Sharp
}

const png: Encoding = { mime: "image/png", encode: (image) => image.png({ compressionLevel: 9 }) }
const jpeg = (quality: number): Encoding => {
  // What is transparent has to become some color, and most drawings are made for a bright page.
  return { mime: "image/jpeg", encode: (image) => image.flatten({ background: "white" }).jpeg({ quality }) }
}
const webp = (quality: number): Encoding => ({ mime: "image/webp", encode: (image) => image.webp({ quality }) })

/** Formats of drawings and screenshots, whose edges JPEG blurs. */
const DRAWN = ["png", "gif", "svg"]

/** Ways to write an image, the most faithful first. What it loses as JPEG is less than what it would lose in pixels. */
export function encodings(format: string, hasAlpha: boolean, mimes: readonly string[]): Encoding[] {
  const faithful = format === "webp" ? [webp(85), webp(60)] : hasAlpha || DRAWN.includes(format) ? [png] : []
  return [...faithful, jpeg(85), jpeg(60)].filter(({ mime }) => mimes.includes(mime))
}
