import { isObject, show } from "../../json-object.ts"
import { firstProblem, isAbsent, unknownKey, type Problem } from "../problem.ts"

const types = ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"]

const keys: ReadonlySet<string> = new Set([
  ...["type", "format", "title", "description", "nullable", "enum", "default", "example", "anyOf", "pattern"],
  ...["properties", "required", "propertyOrdering", "minProperties", "maxProperties"],
  ...["items", "minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum"],
])

/** Returns the first problem in a schema. The API supports a part of OpenAPI's schema, and not all of JSON Schema. */
export function validateSchema(schema: unknown, place: string): Problem {
  if (!isObject(schema)) return `${place}: must be an object, got ${show(schema)}.`
  const type = typeof schema.type === "string" ? schema.type.toUpperCase() : undefined
  if (!isAbsent(schema.type) && (type === undefined || !types.includes(type))) {
    return `${place}.type: ${show(schema.type)} is not one of ${types.join(", ")}.`
  }
  const children = isObject(schema.properties) ? schema.properties : {}
  return (
    unknownKey(schema, keys, place) ??
    validateEnum(schema.enum, type, place) ??
    validateObject(schema, type, children, place) ??
    (type === "ARRAY" && isAbsent(schema.items) ? `${place}.items: missing field.` : undefined) ??
    firstProblem(Object.entries(children), ([name, each]) => validateSchema(each, `${place}.properties.${name}`)) ??
    (isAbsent(schema.items) ? undefined : validateSchema(schema.items, `${place}.items`)) ??
    firstProblem(Array.isArray(schema.anyOf) ? (schema.anyOf as unknown[]) : [], (each, index) =>
      validateSchema(each, `${place}.anyOf[${index}]`),
    )
  )
}

function validateEnum(values: unknown, type: string | undefined, place: string): Problem {
  if (isAbsent(values)) return undefined
  if (type !== "STRING") return `${place}.enum: only allowed for STRING type.`
  const isFine = Array.isArray(values) && values.every((value) => typeof value === "string" && value !== "")
  return isFine ? undefined : `${place}.enum: must be an array of strings that are not empty.`
}

function validateObject(
  { required }: Readonly<Record<string, unknown>>,
  type: string | undefined,
  children: Readonly<Record<string, unknown>>,
  place: string,
): Problem {
  if (type === "OBJECT" && Object.keys(children).length === 0) {
    return `${place}.properties: should be non-empty for OBJECT type.`
  }
  return firstProblem(Array.isArray(required) ? (required as unknown[]) : [], (name, index) =>
    typeof name === "string" && Object.hasOwn(children, name)
      ? undefined
      : `${place}.required[${index}]: property is not defined: ${show(name)}.`,
  )
}
