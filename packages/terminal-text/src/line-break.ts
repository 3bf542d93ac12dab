// Patterns of Unicode's classes take their time to make: they stand where they are used, for texts that need them.

/** Matches characters that may be an ideograph or half of one. Most texts have none. */
const MAYBE_IDEOGRAPH = /[\u2E80-\uFFFF]/

const IDEOGRAPH = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303F\uFF01-\uFF60`

/** Splits a text into line ends, white space and pieces of words. Joined, they are the text. */
export function linePieces(text: string): readonly string[] {
  const pieces = MAYBE_IDEOGRAPH.test(text)
    ? new RegExp(String.raw`\n|[^\S\n]+|[${IDEOGRAPH}]|[^\s${IDEOGRAPH}]+`, "gu")
    : /\n|[^\S\n]+|\S+/g
  return text.match(pieces) ?? []
}

/** Returns true if a line may break between two adjacent characters, as in Chinese and Japanese. */
export function mayBreakBetween(before: string, after: string): boolean {
  if (before === "" || after === "" || !MAYBE_IDEOGRAPH.test(before + after)) return false
  const isIdeographic =
    new RegExp(`[${IDEOGRAPH}]$`, "u").test(before) || new RegExp(`^[${IDEOGRAPH}]`, "u").test(after)
  return isIdeographic && !isNeverFirst(after) && !/[\p{Ps}\p{Pi}]$/u.test(before)
}

function isNeverFirst(text: string): boolean {
  return /^[\p{Pe}\p{Pf}\p{Mark}、。，．・：；？！‥…ー々〜ぁぃぅぇぉっゃゅょァィゥェォッャュョ]/u.test(text)
}
