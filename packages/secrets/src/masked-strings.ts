/** Masks each string of a value at any depth. Field names stay. */
export function maskedStrings<T>(value: T, mask: (text: string) => string): T {
  return mapped(value, mask) as T
}

function mapped(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value)
  if (Array.isArray(value)) return value.map((item) => mapped(item, mask))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapped(inner, mask)]))
}
