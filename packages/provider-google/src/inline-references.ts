import type { JSONObject, JSONValue } from "@pawl/core"

/**
 * A schema with its local references (`#/$defs/…`) written out. One that refers to itself is written out once, and is
 * any object from there on, as is what no reference leads to.
 */
export function inlined(schema: JSONObject): JSONObject {
  return resolve(schema, schema, []) as JSONObject
}

function resolve(value: JSONValue, root: JSONObject, within: readonly string[]): JSONValue {
  if (Array.isArray(value)) return value.map((each) => resolve(each, root, within))
  if (typeof value !== "object" || value === null) return value
  const { $ref, $defs: _defs, definitions: _definitions, properties, ...rest } = value as JSONObject
  const here: JSONObject = {
    ...resolveEach(rest, root, within),
    // The names in here are no keywords.
    ...(isSchemas(properties) && { properties: resolveEach(properties, root, within) }),
  }
  if (typeof $ref !== "string") return here
  const target = within.includes($ref) ? undefined : lookUp(root, $ref)
  const meant = target === undefined ? { type: "object" } : resolve(target, root, [...within, $ref])
  // Words beside a reference say more than those behind it.
  return { ...(meant as JSONObject), ...here }
}

function resolveEach(values: JSONObject, root: JSONObject, within: readonly string[]): JSONObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, each]) => [name, resolve(each as JSONValue, root, within)]),
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
