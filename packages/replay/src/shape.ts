/**
 * The text with a stand-in for every letter and digit, as long as it was, in characters and in bytes: what stood there is
 * gone, and lines, signs and lengths stay. Of joined texts it is the joined shapes, and of a shape the shape itself.
 */
export function shapeOf(text: string): string {
  return text.replaceAll(/\p{L}|\p{M}|\p{N}/gu, (character) => {
    if (/^\d$/.test(character)) return "0"
    return STAND_INS[Buffer.byteLength(character)] ?? "x"
  })
}

/** By bytes in UTF-8. */
const STAND_INS: Readonly<Record<number, string>> = { 1: "x", 2: "é", 3: "字", 4: "𝐱" }

/** A `data:` URL stays one of its type. */
export function shapedURL(url: string): string {
  const comma = url.startsWith("data:") ? url.indexOf(",") : -1
  return comma === -1 ? shapeOf(url) : url.slice(0, comma + 1) + shapeOf(url.slice(comma + 1))
}
