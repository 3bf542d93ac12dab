/** Splits a text into deltas of about one word, as models send them. The joined deltas equal the text. */
export function words(text: string): readonly string[] {
  return text.match(/\s*\S{1,24}|\s+/gu) ?? []
}
