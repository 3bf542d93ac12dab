/** Returns true for a JSON object, false for null and arrays. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Formats a JSON value for an error message. */
export function show(value: unknown): string {
  const json = JSON.stringify(value) ?? "nothing"
  return json.length > 80 ? `${json.slice(0, 80)}…` : json
}
