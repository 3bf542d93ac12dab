import { isSecretName } from "../patterns/secret-patterns.ts"

/** `fields` are the names of the text's fields, outermost first. */
type Change = (text: string, name: string, fields: readonly string[]) => string

/**
 * Replaces each string of a value by the result of `change`. A string's name is that of the nearest field. In `{ name,
 * value }`, `["name", "value"]` and `["--name", "value"]` it is the neighbour, and for the lines of a private key in a
 * list `private_key`. A field name that is not a plain name, such as a path, is changed as a string without a name.
 */
export function mapNamedStrings(value: unknown, change: Change, name = "", fields: readonly string[] = []): unknown {
  if (typeof value === "string") return change(value, name, fields)
  if (Array.isArray(value)) {
    const keyLines = linesOfKeys(value)
    return value.map((item: unknown, at) => {
      return mapNamedStrings(item, change, keyLines.has(at) ? "private_key" : (nameBefore(value, at) ?? name), fields)
    })
  }
  if (!isObject(value)) return value
  const own = [value["name"], value["key"]].find((text) => isSecret(text))
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => {
      const shown = field.length < MIN_KEY_LENGTH && isPlainName(field) ? field : change(field, "", fields)
      const named = field === "value" && own !== undefined ? own : field
      return [shown, mapNamedStrings(inner, change, named, [...fields, field])]
    }),
  )
}

/** Minimum length of a secret that may occur as a field name. */
const MIN_KEY_LENGTH = 16

/** Returns true for identifiers, numbers and hashes, but not for paths and addresses. */
export function isPlainName(field: string): boolean {
  return /^(?:[A-Za-z_$*][\w.$*-]{0,31}|\d{1,10}|[\da-f]{64})$/.test(field)
}

const BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/
const END = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/
/** A line of a key, or a header before it. */
const LINE = /^\s*(?:[A-Za-z\d+/=]*|(?:Proc-Type|DEK-Info|Version|Comment):.*)\s*$/

/** Returns the indexes of items that continue a key that an earlier item began. */
function linesOfKeys(items: readonly unknown[]): ReadonlySet<number> {
  const indexes = new Set<number>()
  let isOpen = false
  for (const [at, item] of items.entries()) {
    const text = typeof item === "string" ? item : ""
    const isEnd = END.test(text)
    const isLine: boolean = isOpen && (isEnd || LINE.test(text))
    if (isLine) indexes.add(at)
    isOpen = BEGIN.test(text) ? !isEnd : isLine && !isEnd
  }
  return indexes
}

function nameBefore(items: readonly unknown[], at: number): string | undefined {
  const before = items[at - 1]
  if (typeof before !== "string") return undefined
  const option = /^--?(?<name>[A-Za-z][\w-]*)$/.exec(before)?.groups?.["name"]
  return [option, items.length === 2 ? before : undefined].find((text) => isSecret(text))
}

function isSecret(text: unknown): text is string {
  return typeof text === "string" && isSecretName(text)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
