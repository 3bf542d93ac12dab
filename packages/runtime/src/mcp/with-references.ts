/**
 * Converts `${NAME}` in a value of another program's file to `{env:NAME}`. Keeps a default as written, because pawl's
 * configuration has no defaults.
 */
export function withReferences(value: unknown): unknown {
  if (typeof value === "string") {
    return value.replaceAll(
      /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
      (_, name: string, fallback: string | undefined) => fallback ?? `{env:${name}}`,
    )
  }
  if (Array.isArray(value)) return value.map(withReferences)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withReferences(inner)]))
}
