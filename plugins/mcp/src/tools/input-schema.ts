import type { JSONObject } from "@pawl/core/tool"

/** Makes a server's input schema acceptable for providers: an object schema with `properties`. */
export function inputSchema(value: unknown): JSONObject {
  const schema = isObject(value) ? value : {}
  const properties = isObject(schema["properties"]) ? schema["properties"] : {}
  return { ...schema, type: "object", properties }
}

function isObject(value: unknown): value is JSONObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
