import { isSecretName } from "../patterns/secret-patterns.ts"

/** `fields`: those that the text stands below, the outermost first. */
type Change = (text: string, name: string, fields: readonly string[]) => string

/**
 * The value with each string replaced by what `change` makes of it. Its name is that of the nearest field; in
 * `{ name, value }`, `["name", "value"]` and `["--name", "value"]` that which stands beside it, and `private_key` in a
 * list that has a private key line by line. The name of a field that is more than a name, such as a path, is a string
 * without a name.
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
      const shown = field.length < KEY && isPlainName(field) ? field : change(field, "", fields)
      const named = field === "value" && own !== undefined ? own : field
      return [shown, mapNamedStrings(inner, change, named, [...fields, field])]
    }),
  )
}

/** Characters of the shortest secret that a field may be called by. */
const KEY = 16

/** Whether a field is called as programs call them, or by a number or a hash: not by a path or an address. */
export function isPlainName(field: string): boolean {
  return /^(?:[A-Za-z_$*][\w.$*-]{0,31}|\d{1,10}|[\da-f]{64})$/.test(field)
}

const BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/
const END = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/
/** Content of a key, and what may stand before that. */
const LINE = /^\s*(?:[A-Za-z\d+/=]*|(?:Proc-Type|DEK-Info|Version|Comment):.*)\s*$/

/** The places of those that go on with a key which another one began. */
function linesOfKeys(items: readonly unknown[]): ReadonlySet<number> {
  const places = new Set<number>()
  let isOpen = false
  for (const [at, item] of items.entries()) {
    const text = typeof item === "string" ? item : ""
    const isEnd = END.test(text)
    const isLine: boolean = isOpen && (isEnd || LINE.test(text))
    if (isLine) places.add(at)
    isOpen = BEGIN.test(text) ? !isEnd : isLine && !isEnd
  }
  return places
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
