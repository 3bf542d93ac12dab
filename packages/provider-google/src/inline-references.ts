import type { JSONObject, JSONValue } from "@pawl/core"

/**
 * A schema with its local references (`#/$defs/…`) written out. One that refers to itself is written out once, and is
 * any object from there on, as is what no reference leads to, and what a schema has below 100 levels or behind
 * its first 10,000 objects: written out, a few references to each other are more than any memory holds.
 */
export function inlined(schema: JSONObject): JSONObject {
  return resolve(schema, { root: schema, left: { objects: 10_000 } }, { references: [], depth: 0 }) as JSONObject
}

interface Whole {
  readonly root: JSONObject
  readonly left: { objects: number }
}

interface Place {
  /** That it was reached by. */
  readonly references: readonly string[]
  readonly depth: number
}

const DEEPEST = 100
const ANY_OBJECT: JSONObject = { type: "object" }

function resolve(value: JSONValue, whole: Whole, { references, depth }: Place): JSONValue {
  if (typeof value !== "object" || value === null) return value
  const within = { references, depth: depth + 1 }
  if (Array.isArray(value)) return depth > DEEPEST ? [] : value.map((each) => resolve(each, whole, within))
  if (depth > DEEPEST || whole.left.objects-- <= 0) return ANY_OBJECT
  const { $ref, $defs: _defs, definitions: _definitions, properties, ...rest } = value as JSONObject
  const here: JSONObject = {
    ...resolveEach(rest, whole, within),
    // The names in here are no keywords.
    ...(isSchemas(properties) && { properties: resolveEach(properties, whole, within) }),
  }
  if (typeof $ref !== "string") return here
  const target = references.includes($ref) ? undefined : lookUp(whole.root, $ref)
  const meant =
    target === undefined ? ANY_OBJECT : resolve(target, whole, { ...within, references: [...references, $ref] })
  // Words beside a reference say more than those behind it.
  return { ...(meant as JSONObject), ...here }
}

function resolveEach(values: JSONObject, whole: Whole, within: Place): JSONObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, each]) => [name, resolve(each as JSONValue, whole, within)]),
  )
}

function isSchemas(value: JSONValue | undefined): value is JSONObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function lookUp(root: JSONObject, reference: string): JSONValue | undefined {
  if (!reference.startsWith("#")) return undefined
  const names = reference.slice(1).split("/").slice(1)
  return names.reduce<JSONValue | undefined>((value, name) => {
    const key = decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~")
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JSONObject)[key] : undefined
  }, root)
}
