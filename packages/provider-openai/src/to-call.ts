import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import type { ModelInfo } from "@pawl/core/provider"

export type API = "responses" | "chat"

export interface CallTarget {
  readonly info: ModelInfo
  readonly api: API
  /** Requests with the same key are routed to the same cache. Default: OpenAI decides. */
  readonly cacheKey?: string
}

/**
 * Adds OpenAI's options. Tool schemas are not strict, since strict ones forbid optional arguments. A model configured as
 * reasoning is treated so, whatever its name. The caller's options take precedence.
 */
export function toCall(
  call: LanguageModelV4CallOptions,
  { info, api, cacheKey }: CallTarget,
): LanguageModelV4CallOptions {
  const options = {
    ...(cacheKey !== undefined && { promptCacheKey: cacheKey }),
    ...(info.capabilities.reasoning && { forceReasoning: true }),
    ...(api === "responses" && { store: false }),
    ...call.providerOptions?.["openai"],
  }
  return {
    ...call,
    providerOptions: { ...call.providerOptions, openai: options },
    tools: call.tools?.map((tool) => (tool.type === "function" ? { strict: false, ...tool } : tool)) ?? [],
  }
}
