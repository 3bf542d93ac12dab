/** Shorter values would mask ordinary words. */
export const SHORTEST = 8

/**
 * Returns the ways in which a value stands in texts: as it is, escaped for JSON and for URLs, and in base64, by itself or
 * in the midst of other bytes. Leaves out those with less than `minLength` characters.
 */
export function valueForms(value: string, minLength = SHORTEST): string[] {
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

/** What is the same in the base64 of all texts that have the value `offset` bytes behind a multiple of three. */
function base64At(value: string, offset: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)])
  // Each character holds six bits: those that the neighbours share are left out.
  const from = Math.ceil((offset * 8) / 6)
  const to = Math.floor((bytes.length * 8) / 6)
  const standard = bytes.toString("base64").slice(from, to)
  return [standard, standard.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(standard)]
}
