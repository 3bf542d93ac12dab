/** Shorter values would mask ordinary words. */
export const MIN_VALUE_LENGTH = 8

/**
 * Returns the forms in which a value occurs in texts: unchanged, escaped for JSON and for URLs, and in base64, alone or
 * within other bytes. Leaves out those with less than `minLength` characters.
 */
export function valueForms(value: string, minLength = MIN_VALUE_LENGTH): string[] {
  const json = escaped(value)
  const forms = [
    ...[value, json, escaped(json)],
    ...[encodeURIComponent(value.toWellFormed()), encodeURI(value.toWellFormed())],
    ...[0, 1, 2].flatMap((offset) => base64At(value, offset)),
  ]
  return [...new Set(forms)].filter((form) => form.length >= minLength)
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/**
 * Returns the part of the base64 text that is the same whatever bytes surround the value, `offset` bytes after a
 * multiple of three.
 */
function base64At(value: string, offset: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)])
  // Each character has six bits. Characters with bits of neighbouring bytes are left out.
  const from = Math.ceil((offset * 8) / 6)
  const to = Math.floor((bytes.length * 8) / 6)
  const standard = bytes.toString("base64").slice(from, to)
  return [standard, standard.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(standard)]
}
