import { isObject } from "../json-object.ts"

/** Finds the first string in a JSON value with a lone surrogate, which UTF-8 cannot represent. */
export function validateText(value: unknown, place = ""): string | undefined {
  if (typeof value === "string") {
    return value.isWellFormed() ? undefined : `${place}: holds half of a surrogate pair, so it is not valid Unicode.`
  }
  if (Array.isArray(value)) return first(value.entries(), (index) => `${place}[${index}]`)
  if (isObject(value)) {
    return validateKeys(value, place) ?? first(Object.entries(value), (key) => (place === "" ? key : `${place}.${key}`))
  }
  return undefined
}

/**
 * Finds the same in JSON text within a string, such as the arguments of a call. Returns undefined if it is not JSON.
 */
export function validateJSONText(json: string, place: string): string | undefined {
  try {
    return validateText(JSON.parse(json), place)
  } catch {
    return undefined
  }
}

function validateKeys(object: object, place: string): string | undefined {
  const isOdd = Object.keys(object).some((key) => !key.isWellFormed())
  return isOdd ? `${place}: a key holds half of a surrogate pair, so it is not valid Unicode.` : undefined
}

function first<Key>(entries: Iterable<[Key, unknown]>, toPlace: (key: Key) => string): string | undefined {
  for (const [key, value] of entries) {
    const problem = validateText(value, toPlace(key))
    if (problem !== undefined) return problem
  }
  return undefined
}
