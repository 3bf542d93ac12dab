const MULTIBYTE = /[\u00C2-\u00DF][\u0080-\u00BF]|[\u00E0-\u00EF][\u0080-\u00BF]{2}|[\u00F0-\u00F4][\u0080-\u00BF]{3}/
const BEYOND_LATIN1 = /[^\0-\u00FF]/

/**
 * Returns how to encode a model's text for a file that is shown as one character per byte: as Latin-1 if the file
 * contains no UTF-8 sequence and Latin-1 has all characters of `texts`, otherwise as UTF-8 bytes.
 */
export function toByteView(file: string, texts: readonly string[]): (text: string) => string {
  const isLatin1 = !MULTIBYTE.test(file) && !texts.some((text) => BEYOND_LATIN1.test(text))
  return isLatin1 ? (text) => text : (text) => Buffer.from(text, "utf8").toString("latin1")
}
