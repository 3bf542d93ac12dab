import type { Environment } from "./http-transport.ts"

/** A key and where it was found: in a variable, or, without one, in the options. */
export interface GivenKey {
  readonly text: string
  readonly variable?: string
}

/** The key of the options, else that of the first variable which has one. Blanks alone are no key. */
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
 * The first character of a key that HTTP has no place for, as in `U+201C`. No server can have given it out: something
 * went wrong when it was copied.
 */
export function unsendableKey(key: string): string | undefined {
  const code = /[^ -~]/u.exec(key)?.[0].codePointAt(0)
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`
}
