import { isObject } from "../../json-object.ts"
import { firstProblem, type Problem } from "../problem.ts"

/**
 * Returns the first object in a schema that is invalid in strict mode, which requires all properties and forbids
 * additional ones.
 */
export function validateStrictSchema(schema: unknown, place: string): Problem {
  if (!isObject(schema)) return undefined
  const properties = isObject(schema.properties) ? schema.properties : {}
  if (schema.type === "object") {
    if (schema.additionalProperties !== false) {
      return `${place}: "additionalProperties" is required to be supplied and to be false in strict mode.`
    }
    const required = Array.isArray(schema.required) ? schema.required : []
    const missing = Object.keys(properties).find((name) => !required.includes(name))
    if (missing !== undefined)
      return `${place}.required: must have every property in strict mode, "${missing}" is missing.`
  }
  return (
    firstProblem(Object.entries(properties), ([name, each]) =>
      validateStrictSchema(each, `${place}.properties.${name}`),
    ) ?? validateStrictSchema(schema.items, `${place}.items`)
  )
}
