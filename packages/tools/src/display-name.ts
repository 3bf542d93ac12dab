/** A name on one line: control characters, which could forge lines of an output, are shown escaped. */
export function displayName(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1))
}
