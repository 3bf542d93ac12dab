import type { Environment } from "./http-transport.ts"

/** A key and its source: a variable, or the options if `variable` is missing. */
export interface GivenKey {
  readonly text: string
  readonly variable?: string
}

/** Returns the key of the options, else that of the first variable with one. Ignores blank keys. */
export function givenKey(
  { apiKey, environment = {} }: { apiKey?: string | undefined; environment?: Environment | undefined },
  variables: readonly string[] = [],
): GivenKey | undefined {
  const text = apiKey?.trim()
  if (text) return { text }
  for (const variable of variables) {
    const value = environment[variable]?.trim()
    if (value) return { text: value, variable }
  }
  return undefined
}

/**
 * Returns the first character of a key that HTTP cannot send, as in `U+201C`. Such a key was damaged when it was copied.
 */
export function unsendableKey(key: string): string | undefined {
  const code = /[^ -~]/u.exec(key)?.[0].codePointAt(0)
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`
}
