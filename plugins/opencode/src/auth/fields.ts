export type Fields = Readonly<Record<string, unknown>>

/** Whether fields can be read of it; an array is one as well. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null
}
