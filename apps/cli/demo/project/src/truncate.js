/** Shortens a text to at most `length` characters; an ellipsis stands for what was cut off. */
export function truncate(text, length) {
  if (text.length <= length) return text
  return text.slice(0, length) + "…"
}
