import { mapNamedStrings } from "./named-strings.ts"
import { createStringMasker } from "./string-masker.ts"

/** Fields that link records to each other. */
const LINKS = new Set("id sessionID messageID partID parentID rootSessionID projectID callID".split(" "))

/** Fields below which a name says nothing: tools and plugins choose them. */
const FREE = new Set(["input", "metadata", "data", "structured", "tools", "format", "responseHeaders"])

/** Says of a string by the fields that it stands below, its own last, if it links records to each other. */
export function isLink(fields: readonly string[]): boolean {
  return LINKS.has(fields.at(-1) ?? "") && !fields.some((field) => FREE.has(field))
}

/**
 * The record for people to look at: each string with what `mask` leaves of it, and nothing in fields that are called like a
 * secret. Ids stay. The name of a field that is more than a name is a string, too.
 */
export function maskedRecord<Value>(value: Value, mask: (text: string) => string): Value {
  const masked = createStringMasker(mask, () => undefined)
  return mapNamedStrings(value, (text, name, fields) => (isLink(fields) ? text : masked(text, name))) as Value
}
