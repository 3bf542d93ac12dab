/** Is this a JSON object, neither null nor an array? */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Shows a JSON value inside an error message. */
export function show(value: unknown): string {
  const json = JSON.stringify(value) ?? "nothing"
  return json.length > 80 ? `${json.slice(0, 80)}…` : json
}
