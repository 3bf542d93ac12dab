import type { JSONObject, JSONValue } from "@pawl/core/provider"

/**
 * Resolves local references (`#/$defs/…`). A recursive schema is resolved once and allows any object below. The same
 * applies to unknown references, below 100 levels, and after 10,000 objects, since few mutual references can expand
 * beyond any memory.
 */
export function inlined(schema: JSONObject): JSONObject {
  return resolve(schema, { root: schema, left: { objects: 10_000 } }, { references: [], depth: 0 }) as JSONObject
}

interface Whole {
  readonly root: JSONObject
  readonly left: { objects: number }
}

interface Place {
  /** The references that led here. */
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
    // These keys are property names, not keywords.
    ...(isSchemas(properties) && { properties: resolveEach(properties, whole, within) }),
  }
  if (typeof $ref !== "string") return here
  const target = references.includes($ref) ? undefined : lookUp(whole.root, $ref)
  const meant =
    target === undefined ? ANY_OBJECT : resolve(target, whole, { ...within, references: [...references, $ref] })
  // Keywords next to a reference take precedence over its target.
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
