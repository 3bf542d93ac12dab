import { mapNamedStrings } from "./named-strings.ts"
import { createStringMasker } from "./string-masker.ts"

/** Fields that link records to each other. */
const LINKS = new Set("id sessionID messageID partID parentID rootSessionID projectID callID".split(" "))

/** Fields whose inner names mean nothing, because tools and plugins choose them. */
const FREE = new Set(["input", "metadata", "data", "structured", "tools", "format", "responseHeaders"])

/** Returns true if a string links records to each other. `fields` are the names of its fields, the innermost last. */
export function isLink(fields: readonly string[]): boolean {
  return LINKS.has(fields.at(-1) ?? "") && !fields.some((field) => FREE.has(field))
}

/**
 * Masks a record for display: each string by `mask`, and all values of fields with a secret's name. Keeps ids. A field
 * name that is not a plain name is masked as a string too.
 */
export function maskedRecord<Value>(value: Value, mask: (text: string) => string): Value {
  const masked = createStringMasker(mask, () => undefined)
  return mapNamedStrings(value, (text, name, fields) => (isLink(fields) ? text : masked(text, name))) as Value
}
