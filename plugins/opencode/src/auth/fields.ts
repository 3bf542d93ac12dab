export type Fields = Readonly<Record<string, unknown>>

/** Returns true if fields can be read from the value. This includes arrays. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null
}
