/** Splits a text into deltas of about a word, as models send them. Joined they are the text again. */
export function words(text: string): readonly string[] {
  return text.match(/\s*\S{1,24}|\s+/gu) ?? []
}
