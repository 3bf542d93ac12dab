/**
 * Returns the next value of the KMP failure function, computed over the last `count` characters before `end`,
 * backwards: the length of the longest shorter text that they both begin and end with. `count` minus this length is the
 * length of the shortest chunk whose repetition gives these characters, cut at their beginning. That period never
 * decreases with a larger count. Call it for each count from 1 upwards with the same `borders`; all calls together take
 * time proportional to the last count.
 */
export function nextBorder(text: Uint16Array, end: number, count: number, borders: Int32Array): number {
  const char = text[end - count]
  let border = count > 1 ? (borders[count - 1] ?? 0) : 0
  while (border > 0 && text[end - 1 - border] !== char) border = borders[border] ?? 0
  if (count > 1 && text[end - 1 - border] === char) border++
  borders[count] = border
  return border
}
