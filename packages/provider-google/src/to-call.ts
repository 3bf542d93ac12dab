import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import type { JSONObject, ModelInfo } from "@pawl/core/provider"
import { geminiSchema } from "./gemini-schema.ts"

/**
 * Adds Gemini's options: converted tool schemas, and a request for thoughts. Each schema is converted once. The caller's
 * options take precedence.
 */
export function createToCall({
  capabilities,
}: ModelInfo): (call: LanguageModelV4CallOptions) => LanguageModelV4CallOptions {
  const converted = new WeakMap<object, object>()

  function convert(schema: object): object {
    const known = converted.get(schema)
    if (known !== undefined) return known
    const result = geminiSchema(schema as JSONObject)
    converted.set(schema, result)
    return result
  }

  return (call) => {
    const given = call.providerOptions?.["google"]
    const thinkingConfig = { includeThoughts: true, ...(given?.["thinkingConfig"] as JSONObject | undefined) }
    const options = { ...given, ...(capabilities.reasoning && { thinkingConfig }) }
    return {
      ...call,
      ...(Object.keys(options).length > 0 && { providerOptions: { ...call.providerOptions, google: options } }),
      tools:
        call.tools?.map((tool) =>
          tool.type === "function" ? { ...tool, inputSchema: convert(tool.inputSchema) } : tool,
        ) ?? [],
    }
  }
}
