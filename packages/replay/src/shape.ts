/**
 * Replaces every letter and digit by a placeholder of the same length in characters and bytes, so that only the lengths
 * and all other characters remain. Works on pieces of a text as on the whole; applying it twice changes nothing.
 */
export function shapeOf(text: string): string {
  return text.replaceAll(/\p{L}|\p{M}|\p{N}/gu, (character) => {
    if (/^\d$/.test(character)) return "0"
    return STAND_INS[Buffer.byteLength(character)] ?? "x"
  })
}

/** Placeholders by length in UTF-8. */
const STAND_INS: Readonly<Record<number, string>> = { 1: "x", 2: "é", 3: "字", 4: "𝐱" }

/** Keeps the scheme and the media type of a `data:` URL. */
export function shapedURL(url: string): string {
  const comma = url.startsWith("data:") ? url.indexOf(",") : -1
  return comma === -1 ? shapeOf(url) : url.slice(0, comma + 1) + shapeOf(url.slice(comma + 1))
}
