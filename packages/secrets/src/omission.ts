/** `…`, or three dots that end a text, a word or what stands in quotation marks. */
export const OMISSION = /\u2026|\.{3}(?![\w.(/[{$])/g

/** Says if the text was shortened at this place. */
export function isOmission(text: string, at: number): boolean {
  if (text[at] === "…") return true
  return text.startsWith("...", at) && !/[\w.(/[{$]/.test(text[at + 3] ?? "")
}
