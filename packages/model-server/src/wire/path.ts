/** Returns the path of a request target, without the query. */
export function toPath(target: string): string {
  return target.split("?", 1)[0] ?? ""
}

/** Returns a value from the query of a request target. */
export function queryValue(target: string, name: string): string | undefined {
  return new URLSearchParams(target.slice(toPath(target).length)).get(name) ?? undefined
}

/**
 * Compares a path with a pattern that may contain `{model}`, and returns the model. `undefined` if the path does not
 * match.
 */
export function matchPath(pattern: string, path: string): { model: string | undefined } | undefined {
  const [before = "", after] = pattern.split("{model}")
  if (after === undefined) return path === pattern ? { model: undefined } : undefined
  const model = path.slice(before.length, path.length - after.length)
  const isMatch = path === before + model + after && model !== "" && !model.includes("/")
  return isMatch ? { model: decoded(model) } : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
