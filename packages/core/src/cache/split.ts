/**
 * Splits an integer into integers in proportion to the weights, which add up to it exactly. The rest after rounding
 * goes to the largest remainders, of equal remainders to the first. If no weight is above 0, everything goes to the
 * last.
 */
export function split(whole: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  if (sum <= 0) return weights.map((_weight, at) => (at === weights.length - 1 ? whole : 0))
  const exact = weights.map((weight) => (whole * weight) / sum)
  const parts = exact.map((share) => Math.floor(share))
  const left = whole - parts.reduce((total, part) => total + part, 0)
  const byRemainder = exact
    .map((share, at) => ({ at, remainder: share - Math.floor(share) }))
    .toSorted((a, b) => b.remainder - a.remainder || a.at - b.at)
  for (const { at } of byRemainder.slice(0, left)) parts[at] = (parts[at] ?? 0) + 1
  return parts
}
