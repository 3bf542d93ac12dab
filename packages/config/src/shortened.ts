/** At most 60 characters of a text that a message quotes. */
export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text
}
