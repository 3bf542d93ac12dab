/** Limits the depth of values, because other code processes them recursively. */
const MAX_DEPTH = 100

/** Estimates the number of characters of a value as JSON. Returns undefined if it is larger than `most` or too deep. */
export function jsonSize(value: unknown, most: number): number | undefined {
  let size = 0
  const isWithin = (inner: unknown, depth: number): boolean => {
    size += typeof inner === "string" ? inner.length + 2 : 4
    if (size > most || depth > MAX_DEPTH) return false
    if (typeof inner !== "object" || inner === null) return true
    if (Array.isArray(inner)) return inner.every((item) => isWithin(item, depth + 1))
    return Object.entries(inner).every(([key, item]) => {
      size += key.length + 4
      return isWithin(item, depth + 1)
    })
  }
  return isWithin(value, 0) ? size : undefined
}
