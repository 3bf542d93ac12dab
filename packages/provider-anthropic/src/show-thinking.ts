import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import type { ModelInfo } from "@pawl/core/provider"
import { isThinkingByItself } from "./families.ts"

/**
 * Requests summaries of the thinking from models that otherwise send it without text. Keeps the caller's own options
 * for thinking.
 */
export function showThinking({ id }: ModelInfo, call: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const given = call.providerOptions?.["anthropic"]
  if (!isThinkingByItself(id) || given?.["thinking"] !== undefined) return call
  const thinking = { type: "adaptive", display: "summarized" }
  return { ...call, providerOptions: { ...call.providerOptions, anthropic: { ...given, thinking } } }
}
