import { z } from "zod"
import type { Finding, KeyPart, Locate } from "./finding.ts"
import { type KeyPath, shortKeyPath, valueAt } from "./key-path.ts"
import { schema } from "./schema.ts"
import { shortened } from "./shortened.ts"
import { hidePasswords } from "./hide-passwords.ts"
import { suggestion } from "./suggestion.ts"

export interface ValidateContext {
  /** The value before references were replaced. Messages quote it, so that they never contain secrets. */
  written: unknown
  locate: Locate
  /** The expected schema. Default: a configuration. */
  as?: { readonly schema: z.core.$ZodType; readonly name: string }
}

const configuration = { schema, name: "The configuration" }

/** Returns all problems of the value. */
export function validate(value: unknown, { written, locate, as = configuration }: ValidateContext): Finding[] {
  const found = (path: KeyPath, part: KeyPart, message: string): Finding => ({
    message,
    path,
    position: locate(path, part),
  })

  function explain(issue: z.core.$ZodIssue, parent: KeyPath): Finding[] {
    const path = [...parent, ...issue.path.map((key) => (typeof key === "number" ? key : String(key)))]
    if (issue.code === "unrecognized_keys") {
      const unknown = issue.keys.filter((key) => key !== "__proto__")
      const known = knownKeys(path, as.schema)
      return unknown.map((key) => ({
        ...found([...path, key], "key", unknownKey(key, path, known)),
        isUnknownKey: true,
      }))
    }
    if (issue.code === "invalid_union") {
      // Reports the errors of the alternative with the matching type, since the user meant that one.
      const isInside = (inner: z.core.$ZodIssue) => inner.path.length > 0 || inner.code === "unrecognized_keys"
      const meant = issue.errors.find((issues) => issues.every(isInside))
      if (meant !== undefined) return meant.flatMap((inner) => explain(inner, path))
    }
    const subject = path.length === 0 ? as.name : shortKeyPath(path)
    if (issue.code === "invalid_key") {
      return issue.issues.map(({ message }) => found(path, "key", `${subject} ${message}.`))
    }
    const actual = valueAt(value, path)
    if (actual === undefined) return [found(path, "value", `${subject} is missing: it ${issue.message}.`)]
    const meant = actual === valueAt(written, path) ? meantValue(issue, actual) : ""
    return [
      found(path, "value", `${subject} ${issue.message}, got ${got(issue, actual, valueAt(written, path))}.${meant}`),
    ]
  }

  const issues = z.safeParse(as.schema, value).error?.issues ?? []
  const forbidden = prototypeKeys(value, []).map((path) => found(path, "key", 'The key "__proto__" is not allowed.'))
  return [...forbidden, ...issues.flatMap((issue) => explain(issue, []))]
}

/** Finds `__proto__`, which changes an object when a later reader assigns it. The schema itself ignores it. */
function prototypeKeys(value: unknown, path: KeyPath): KeyPath[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => prototypeKeys(item, [...path, index]))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, child]) =>
    key === "__proto__" ? [[...path, key]] : prototypeKeys(child, [...path, key]),
  )
}

function unknownKey(key: string, path: KeyPath, known: readonly string[]): string {
  const near = suggestion(key, known)
  const place = path.length === 0 ? "" : ` in ${shortKeyPath(path)}`
  const next = near === undefined ? `Known keys: ${known.join(", ")}.` : `Did you mean ${JSON.stringify(near)}?`
  return `Unknown key ${quoted(key)}${place}. ${next}`
}

/** Returns true for top-level keys of a configuration. */
export function isKnownKey(key: string): boolean {
  return Object.hasOwn(schema.shape, key)
}

/** Suggests the allowed word that the user probably meant. */
function meantValue(issue: z.core.$ZodIssue, actual: unknown): string {
  const near = typeof actual === "string" && actual.length > 2 ? suggestion(actual, allowedWords(issue)) : undefined
  return near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`
}

function allowedWords(issue: z.core.$ZodIssue): string[] {
  if (issue.code === "invalid_value") return issue.values.filter((value) => typeof value === "string")
  if (issue.code !== "invalid_union") return []
  const outside = issue.errors.flat().filter(({ path }) => path.length === 0)
  return outside.flatMap(allowedWords)
}

/** Returns the keys of the objects that are allowed at a path. */
function knownKeys(path: KeyPath, root: z.core.$ZodType): string[] {
  const types = path.reduce<z.core.$ZodType[]>(
    (parents, key) => parents.flatMap((parent) => child(parent, key)),
    alternatives(root),
  )
  return types.flatMap((type) => (type instanceof z.ZodObject ? offeredKeys(type) : []))
}

/** Returns the keys to suggest, without deprecated ones. */
function offeredKeys({ shape }: z.ZodObject): string[] {
  const isOffered = (key: string) => {
    const type = withoutOptional(shape[key])
    return type === undefined || z.globalRegistry.get(type)?.["deprecated"] !== true
  }
  return Object.keys(shape).filter(isOffered)
}

function child(type: z.core.$ZodType, key: string | number): z.core.$ZodType[] {
  if (type instanceof z.ZodObject) return alternatives((type.shape as Record<string, z.core.$ZodType>)[key])
  if (type instanceof z.ZodRecord) return alternatives(type.valueType)
  return type instanceof z.ZodArray ? alternatives(type.element) : []
}

function alternatives(given: z.core.$ZodType | undefined): z.core.$ZodType[] {
  const type = withoutOptional(given)
  if (type instanceof z.ZodUnion) return type.options.flatMap(alternatives)
  return type === undefined ? [] : [type]
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
