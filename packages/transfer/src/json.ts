/** Serializes JSON with sorted keys, so that equal values give equal texts. Drops undefined fields. */
export function canonicalJSON(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJSON(item)).join(",")}]`
  if (!isObject(value)) return value === undefined ? "null" : JSON.stringify(value)
  const fields = Object.keys(value)
    .toSorted()
    .flatMap((key) => (value[key] === undefined ? [] : `${JSON.stringify(key)}:${canonicalJSON(value[key])}`))
  return `{${fields.join(",")}}`
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Replaces each string of a value by the result of `change`; `key` is the name of the nearest field. */
export function mapStrings(value: unknown, change: (text: string, key: string) => string, key = ""): unknown {
  if (typeof value === "string") return change(value, key)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change, key))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapStrings(inner, change, name)]))
}

export function without(value: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}
