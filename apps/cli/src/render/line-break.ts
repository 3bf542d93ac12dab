const IDEOGRAPH = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303F\uFF01-\uFF60`
const STARTS_IDEOGRAPHIC = new RegExp(`^[${IDEOGRAPH}]`, "u")
const ENDS_IDEOGRAPHIC = new RegExp(`[${IDEOGRAPH}]$`, "u")
const NEVER_FIRST = /^[\p{Pe}\p{Pf}\p{Mark}、。，．・：；？！‥…ー々〜ぁぃぅぇぉっゃゅょァィゥェォッャュョ]/u
const NEVER_LAST = /[\p{Ps}\p{Pi}]$/u
const PIECES = new RegExp(String.raw`\n|[^\S\n]+|[${IDEOGRAPH}]|[^\s${IDEOGRAPH}]+`, "gu")

/** Text taken apart into line ends, white space and pieces of words; together they are the text. */
export function linePieces(text: string): readonly string[] {
  return text.match(PIECES) ?? []
}

/** Whether a line may end between two neighbours without white space between them, as Chinese and Japanese lines do. */
export function mayBreakBetween(before: string, after: string): boolean {
  if (before === "" || after === "") return false
  const isIdeographic = ENDS_IDEOGRAPHIC.test(before) || STARTS_IDEOGRAPHIC.test(after)
  return isIdeographic && !NEVER_FIRST.test(after) && !NEVER_LAST.test(before)
}
