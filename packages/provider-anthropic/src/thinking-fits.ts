import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"

/**
 * Removes a token budget for thinking if the current turn began without thinking. Anthropic refuses results of calls
 * without preceding thinking, which another model or variant may have made.
 */
export function withFitting(call: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const given = call.providerOptions?.["anthropic"]
  const thinking = given?.["thinking"] as { readonly type?: string } | undefined
  if (thinking?.type !== "enabled" || !isCalledWithoutThought(call)) return call
  const { thinking: _, ...others } = given ?? {}
  return { ...call, providerOptions: { ...call.providerOptions, anthropic: others } }
}

/** Checks the answer that the newest results belong to. */
function isCalledWithoutThought({ prompt }: LanguageModelV4CallOptions): boolean {
  const answer = prompt.findLast(({ role }) => role === "assistant" || role === "user")
  if (answer?.role !== "assistant" || prompt.at(-1)?.role !== "tool") return false
  return answer.content[0]?.type !== "reasoning"
}
