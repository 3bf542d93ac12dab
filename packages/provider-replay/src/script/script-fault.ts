/** A problem in a line of a script. The message does not name the line. */
export class ScriptFault extends Error {
  override readonly name = "ScriptFault"
}

type Fields = Readonly<Record<string, unknown>>

/** Reads an object and rejects all other keys. `what` names the object in the error. */
export function readFields(value: unknown, what: string, keys: readonly string[]): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ScriptFault(`${what} must be an object, got ${JSON.stringify(value)}.`)
  }
  const unknown = Object.keys(value).find((key) => !keys.includes(key))
  if (unknown === undefined) return value as Fields
  throw new ScriptFault(`${what} has an unknown key "${unknown}". Known: ${keys.join(", ")}.`)
}

export function readString(value: unknown, what: string): string {
  if (typeof value === "string") return value
  throw new ScriptFault(`${what} must be a string, got ${JSON.stringify(value)}.`)
}

export function readName(value: unknown, what: string): string {
  const name = readString(value, what)
  if (name !== "") return name
  throw new ScriptFault(`${what} must be a name, got an empty string.`)
}

// JSON has no infinity, but 1e999 is parsed as one.
function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : JSON.stringify(value)
}

/** Reads a number from 0 to `most`, which is finite. */
export function readNumber(value: unknown, what: string, most = Number.MAX_VALUE): number {
  if (typeof value === "number" && value >= 0 && value <= most) return value
  const range = most === Number.MAX_VALUE ? "0 or more" : `0 to ${most}`
  throw new ScriptFault(`${what} must be a number, ${range}, got ${shown(value)}.`)
}

export function readBoolean(value: unknown, what: string): boolean {
  if (typeof value === "boolean") return value
  throw new ScriptFault(`${what} must be true or false, got ${JSON.stringify(value)}.`)
}

export function readChoice<Choice extends string>(value: unknown, what: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === value)
  if (choice !== undefined) return choice
  throw new ScriptFault(`${what} must be one of ${choices.join(", ")}, got ${JSON.stringify(value)}.`)
}

/** Reads an object whose values are optional and have the same type. */
export function readRecord<Key extends string, Value>(
  value: unknown,
  what: string,
  keys: readonly Key[],
  read: (value: unknown, what: string) => Value,
): Partial<Record<Key, Value>> {
  const fields = readFields(value, what, keys)
  const record: Partial<Record<Key, Value>> = {}
  for (const key of keys) {
    if (fields[key] !== undefined) record[key] = read(fields[key], `${what}.${key}`)
  }
  return record
}
