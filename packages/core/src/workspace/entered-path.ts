import type { JSONObject, JSONValue } from "../base/json.ts"

/** Returns the file or directory that a tool's result names; undefined if it names no path. */
export function enteredPath({ filepath, filediff, directory }: JSONObject): string | undefined {
  return [filepath, isObject(filediff) ? filediff["file"] : undefined, directory].find((path) => {
    return typeof path === "string" && path !== ""
  }) as string | undefined
}

function isObject(value: JSONValue | undefined): value is JSONObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
