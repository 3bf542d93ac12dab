import { messageOf } from "../base/errors.ts"
import type { JSONObject } from "../base/json.ts"
import type { ToolResult } from "../contracts/tool.ts"

/**
 * What a tool returned, as it can be stored. Throws where there is no text for the model; metadata that is no JSON is
 * replaced by the reason, for the tool has run, and what it says of that is not to be lost.
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

/** A copy in JSON; of what is none, why. */
export function plainObject(value: unknown): JSONObject {
  try {
    const plain: unknown = JSON.parse(JSON.stringify(value) ?? "null")
    return typeof plain === "object" && plain !== null && !Array.isArray(plain) ? (plain as JSONObject) : {}
  } catch (error) {
    return { unstorable: messageOf(error) }
  }
}
