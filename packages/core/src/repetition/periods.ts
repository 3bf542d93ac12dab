/**
 * The length of the longest text, shorter than `count`, that the last `count` characters before `end` both begin and end
 * with; the difference of the two is the length of the shortest chunk that makes these characters when repeated, cut short
 * where they begin. It never gets less with a larger count. To be called for each count from 1 upwards, with the same
 * `borders`; all of these calls together take time in proportion to the last count.
 */
export function nextBorder(text: Uint16Array, end: number, count: number, borders: Int32Array): number {
  const char = text[end - count]
  let border = count > 1 ? (borders[count - 1] ?? 0) : 0
  while (border > 0 && text[end - 1 - border] !== char) border = borders[border] ?? 0
  if (count > 1 && text[end - 1 - border] === char) border++
  borders[count] = border
  return border
}
