const MULTIBYTE = /[\u00C2-\u00DF][\u0080-\u00BF]|[\u00E0-\u00EF][\u0080-\u00BF]{2}|[\u00F0-\u00F4][\u0080-\u00BF]{3}/
const BEYOND_LATIN1 = /[^\0-\u00FF]/

/**
 * How to write a model's text into a file that is shown one character for each byte: as Latin-1 when the file looks like
 * it (nothing in it reads as UTF-8) and `texts` can be said in it, as UTF-8 bytes otherwise.
 */
export function toByteView(file: string, texts: readonly string[]): (text: string) => string {
  const isLatin1 = !MULTIBYTE.test(file) && !texts.some((text) => BEYOND_LATIN1.test(text))
  return isLatin1 ? (text) => text : (text) => Buffer.from(text, "utf8").toString("latin1")
}
