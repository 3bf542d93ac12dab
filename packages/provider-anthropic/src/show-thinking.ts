import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import type { ModelInfo } from "@pawl/core"
import { isThinkingByItself } from "./families.ts"

/**
 * Asks for summaries of the thinking from models that think by themselves, and would send it without a word. Options of
 * the caller's about thinking are left as they are.
 */
export function showThinking({ id }: ModelInfo, call: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const given = call.providerOptions?.["anthropic"]
  if (!isThinkingByItself(id) || given?.["thinking"] !== undefined) return call
  const thinking = { type: "adaptive", display: "summarized" }
  return { ...call, providerOptions: { ...call.providerOptions, anthropic: { ...given, thinking } } }
}
