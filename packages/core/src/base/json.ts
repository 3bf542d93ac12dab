/** A value that survives a round trip through JSON. */
export type JSONValue = string | number | boolean | null | readonly JSONValue[] | JSONObject
export interface JSONObject {
  readonly [key: string]: JSONValue | undefined
}

/** Returns the same text for equal values, whatever the order of their keys. */
export function canonicalJSON(value: JSONValue | undefined): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
