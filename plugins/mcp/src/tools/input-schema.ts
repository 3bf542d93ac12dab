import type { JSONObject } from "@pawl/core/tool"

/** A server's schema for arguments as providers take it: an object's, with its properties; otherwise as it is. */
export function inputSchema(given: unknown): JSONObject {
  const schema = isObject(given) ? given : {}
  const properties = isObject(schema["properties"]) ? schema["properties"] : {}
  return { ...schema, type: "object", properties }
}

function isObject(value: unknown): value is JSONObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
