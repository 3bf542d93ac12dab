import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"

/**
 * Without thinking by a number of tokens where the turn under way began without it: Anthropic refuses results of calls
 * that no thinking stands before, as after another model, or another variant, has made them.
 */
export function withFitting(call: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const given = call.providerOptions?.["anthropic"]
  const thinking = given?.["thinking"] as { readonly type?: string } | undefined
  if (thinking?.type !== "enabled" || !isCalledWithoutThought(call)) return call
  const { thinking: _, ...others } = given ?? {}
  return { ...call, providerOptions: { ...call.providerOptions, anthropic: others } }
}

/** Of the answer that the newest results belong to. */
function isCalledWithoutThought({ prompt }: LanguageModelV4CallOptions): boolean {
  const answer = prompt.findLast(({ role }) => role === "assistant" || role === "user")
  if (answer?.role !== "assistant" || prompt.at(-1)?.role !== "tool") return false
  return answer.content[0]?.type !== "reasoning"
}
