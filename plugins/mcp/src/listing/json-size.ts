/** How deep values may be: who goes through them by recursion is to come back. */
const DEEPEST = 100

/** About how many characters a value has as JSON; undefined: more than `most`, or it is too deep. */
export function jsonSize(value: unknown, most: number): number | undefined {
  let size = 0
  const isWithin = (inner: unknown, depth: number): boolean => {
    size += typeof inner === "string" ? inner.length + 2 : 4
    if (size > most || depth > DEEPEST) return false
    if (typeof inner !== "object" || inner === null) return true
    if (Array.isArray(inner)) return inner.every((item) => isWithin(item, depth + 1))
    return Object.entries(inner).every(([key, item]) => {
      size += key.length + 4
      return isWithin(item, depth + 1)
    })
  }
  return isWithin(value, 0) ? size : undefined
}
