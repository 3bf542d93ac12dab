/** Truncates a text that a message quotes to 60 characters. */
export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text
}
