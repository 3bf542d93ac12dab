import type { JSONObject, JSONValue } from "@pawl/core/provider"
import { inlined } from "./inline-references.ts"

/**
 * Converts a JSON schema to Gemini's subset. Resolves references; a constant becomes an enumeration with one value, "or
 * null" becomes `nullable`, `oneOf` becomes `anyOf`, and `allOf` is merged. Drops everything else: the tool checks its
 * arguments itself.
 */
export function geminiSchema(schema: JSONObject): JSONObject {
  return convert(inlined(schema))
}

/** Keywords that are copied unchanged. */
const known = new Set([
  "format",
  "title",
  "description",
  "nullable",
  "required",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "default",
])

function convert(schema: JSONObject): JSONObject {
  const { type, constant, properties, items, alternatives, required, plain } = read(joined(schema))
  const types = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === "string")
  const named = types.filter((each) => each !== "null")
  const options = alternatives.filter((each) => each["type"] !== "null").map(convert)
  const isNullable = types.length > named.length || alternatives.some((each) => each["type"] === "null")
  const kept = Object.fromEntries(Object.entries(plain).filter(([name]) => known.has(name)))
  const [only] = options
  if (options.length === 1 && only !== undefined) return { ...kept, ...only, ...(isNullable && { nullable: true }) }
  return {
    ...kept,
    ...(named.length === 1 && { type: named[0] }),
    ...(named.length > 1 && { anyOf: named.map((each) => ({ type: each })) }),
    ...(options.length > 0 && { anyOf: options }),
    ...(isNullable && { nullable: true }),
    ...enumeration(constant === undefined ? plain["enum"] : [constant], plain["description"]),
    ...(properties !== undefined && { properties: mapped(properties) }),
    ...(required !== undefined && { required: required.filter((name) => properties && String(name) in properties) }),
    // Gemini requires the type of items.
    ...(named.includes("array") && { items: convert(items ?? { type: "string" }) }),
  }
}

function read(schema: JSONObject) {
  const { const: constant, properties, items, anyOf = [], oneOf = [], required, ...rest } = schema
  return {
    plain: rest,
    type: rest["type"],
    constant,
    properties: asObject(properties),
    items: asObject(Array.isArray(items) ? items[0] : items),
    alternatives: [anyOf, oneOf].flat().filter(isObject),
    required: Array.isArray(required) ? required : undefined,
  }
}

// Gemini enumerates non-empty strings only. For other values, keep the type and describe them.
function enumeration(values: JSONValue | undefined, description: JSONValue | undefined): JSONObject {
  if (!Array.isArray(values)) return {}
  const texts = values.filter((value) => typeof value === "string" && value !== "")
  if (texts.length > 0) return { type: "string", enum: texts, ...nullIn(values) }
  const words = `One of ${values.map((value) => JSON.stringify(value)).join(", ")}.`
  return { description: typeof description === "string" ? `${description} ${words}` : words }
}

function nullIn(values: readonly JSONValue[]): JSONObject {
  return values.includes(null) ? { nullable: true } : {}
}

function joined(schema: JSONObject): JSONObject {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf)) return schema
  return allOf.filter(isObject).reduce<JSONObject>((whole, part) => {
    const other = joined(part)
    return {
      ...whole,
      ...other,
      ...(whole["properties"] && {
        properties: { ...asObject(whole["properties"]), ...asObject(other["properties"]) },
      }),
      ...(whole["required"] && { required: [whole["required"], other["required"] ?? []].flat() }),
    }
  }, rest)
}

function mapped(schemas: JSONObject): JSONObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, isObject(schema) ? convert(schema) : {}]),
  )
}

function asObject(value: JSONValue | undefined): JSONObject | undefined {
  return isObject(value) ? value : undefined
}

function isObject(value: JSONValue | undefined): value is JSONObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
