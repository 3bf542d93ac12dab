import { z } from "zod"
import type { Finding, KeyPart, Locate } from "./finding.ts"
import { type KeyPath, shortKeyPath, valueAt } from "./key-path.ts"
import { schema } from "./schema.ts"
import { shortened } from "./shortened.ts"
import { hidePasswords } from "./hide-passwords.ts"
import { suggestion } from "./suggestion.ts"

export interface ValidateContext {
  /** The value before substitution: messages quote it, so that no secret gets into them. */
  written: unknown
  locate: Locate
}

/** Everything in which the value is not a configuration. */
export function validate(value: unknown, { written, locate }: ValidateContext): Finding[] {
  const found = (path: KeyPath, part: KeyPart, message: string): Finding => ({
    message,
    path,
    position: locate(path, part),
  })

  function explain(issue: z.core.$ZodIssue, parent: KeyPath): Finding[] {
    const path = [...parent, ...issue.path.map((key) => (typeof key === "number" ? key : String(key)))]
    if (issue.code === "unrecognized_keys") {
      const unknown = issue.keys.filter((key) => key !== "__proto__")
      return unknown.map((key) => found([...path, key], "key", unknownKey(key, path)))
    }
    if (issue.code === "invalid_union") {
      // The alternative that got past the outside of the value is the one that was meant.
      const meant = issue.errors.find((issues) => issues.every((inner) => inner.path.length > 0))
      if (meant !== undefined) return meant.flatMap((inner) => explain(inner, path))
    }
    const subject = path.length === 0 ? "The configuration" : shortKeyPath(path)
    if (issue.code === "invalid_key") {
      return issue.issues.map(({ message }) => found(path, "key", `${subject} ${message}.`))
    }
    const actual = valueAt(value, path)
    if (actual === undefined) return [found(path, "value", `${subject} is missing: it ${issue.message}.`)]
    return [found(path, "value", `${subject} ${issue.message}, got ${got(issue, actual, valueAt(written, path))}.`)]
  }

  const issues = schema.safeParse(value).error?.issues ?? []
  const forbidden = prototypeKeys(value, []).map((path) => found(path, "key", 'The key "__proto__" is not allowed.'))
  return [...forbidden, ...issues.flatMap((issue) => explain(issue, []))]
}

/** `__proto__` changes an object's nature wherever a later reader assigns it; the schema itself passes over it. */
function prototypeKeys(value: unknown, path: KeyPath): KeyPath[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => prototypeKeys(item, [...path, index]))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, child]) =>
    key === "__proto__" ? [[...path, key]] : prototypeKeys(child, [...path, key]),
  )
}

function unknownKey(key: string, path: KeyPath): string {
  const known = knownKeys(path)
  const near = suggestion(key, known)
  const place = path.length === 0 ? "" : ` in ${shortKeyPath(path)}`
  const next = near === undefined ? `Known keys: ${known.join(", ")}.` : `Did you mean ${JSON.stringify(near)}?`
  return `Unknown key ${quoted(key)}${place}. ${next}`
}

/** The keys of the object at a path. Unions and arrays hold no objects with fixed keys, so they need no way through. */
function knownKeys(path: KeyPath): string[] {
  let current: z.core.$ZodType | undefined = schema
  for (const key of path) {
    current = withoutOptional(current)
    if (current instanceof z.ZodObject) current = current.shape[key]
    else if (current instanceof z.ZodRecord) current = current.valueType
    else return []
  }
  current = withoutOptional(current)
  return current instanceof z.ZodObject ? Object.keys(current.shape) : []
}

function withoutOptional(type: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return type instanceof z.ZodExactOptional ? type.unwrap() : type
}

function got(issue: z.core.$ZodIssue, actual: unknown, written: unknown): string {
  if (actual === null) return "null"
  if (Array.isArray(actual)) return "an array"
  if (typeof actual === "object") return "an object"
  const wrongType =
    issue.code === "invalid_type" && !(typeof actual === "number" && /^(int|number)$/.test(issue.expected))
  if (wrongType) return `a ${typeof actual}`
  if (typeof actual === "number") return String(actual)
  if (actual === written) return quoted(actual)
  return `${quoted(written)} (${actual === "" ? "empty" : "not valid"} after substitution)`
}

function quoted(value: unknown): string {
  return JSON.stringify(typeof value === "string" ? shortened(hidePasswords(value)) : value)
}
