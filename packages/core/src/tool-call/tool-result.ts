import { messageOf } from "../base/errors.ts"
import type { JSONObject } from "../base/json.ts"
import type { ToolResult } from "../contracts/tool.ts"

/**
 * Returns a tool's result in a form that can be stored. Throws if the result has no text for the model. Metadata that
 * is not JSON is replaced by the error, because the tool has run, and its output must not be lost.
 */
export function toStorable(tool: string, returned: unknown): ToolResult {
  const { title, output, metadata, attachments } = (returned ?? {}) as { readonly [K in keyof ToolResult]?: unknown }
  if (typeof output !== "string") throw new TypeError(`The ${tool} tool returned no output: a result needs a text.`)
  return {
    title: typeof title === "string" ? title : tool,
    output,
    ...(metadata === undefined ? {} : { metadata: plainObject(metadata) }),
    ...(Array.isArray(attachments) ? { attachments: JSON.parse(JSON.stringify(attachments)) as [] } : {}),
  }
}

/** Returns a copy of a JSON object. If the value is not JSON, returns the error in `unstorable`. */
export function plainObject(value: unknown): JSONObject {
  try {
    const plain: unknown = JSON.parse(JSON.stringify(value) ?? "null")
    return typeof plain === "object" && plain !== null && !Array.isArray(plain) ? (plain as JSONObject) : {}
  } catch (error) {
    return { unstorable: messageOf(error) }
  }
}
