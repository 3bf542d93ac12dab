import type { FinishReason, Usage } from "../../script/finish.ts"

/** Token counts in the shape of the OpenAI API. */
export function toChatUsage({
  inputTokens,
  outputTokens,
  cachedTokens,
  reasoningTokens,
  raw,
}: Required<Usage>): unknown {
  return (
    raw ?? {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      prompt_tokens_details: { cached_tokens: cachedTokens },
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }
  )
}

const finishReasons: Readonly<Record<string, string>> = {
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
}

/** The API's word for a finish reason; an unknown one stays as it is. */
export function toChatFinish(reason: FinishReason): string {
  return finishReasons[reason] ?? reason
}
