import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import type { ModelInfo } from "@pawl/core"

export type API = "responses" | "chat"

export interface CallPlace {
  readonly info: ModelInfo
  readonly api: API
  /** Requests of the same key go where their prompt is cached. Absent: OpenAI decides. */
  readonly cacheKey?: string
}

/**
 * What OpenAI wants to know besides. Schemas of tools are taken as
 * they are, for strict ones forbid optional arguments; a model that is said to reason is treated so, whatever its name.
 * Options of the caller's win.
 */
export function toCall(
  call: LanguageModelV4CallOptions,
  { info, api, cacheKey }: CallPlace,
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
