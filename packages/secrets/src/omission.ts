/** `…`, or three dots at the end of a text, a word or a quotation. */
export const OMISSION = /\u2026|\.{3}(?![\w.(/[{$])/g

/** Returns true if the text was shortened at this position. */
export function isOmission(text: string, at: number): boolean {
  if (text[at] === "…") return true
  return text.startsWith("...", at) && !/[\w.(/[{$]/.test(text[at + 3] ?? "")
}
