/** Escapes control characters, which could forge lines of an output. */
export function displayName(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1))
}
