import type { FinishReason, Usage } from "../../script/finish.ts"

/** Returns token counts in the fields of the OpenAI API. */
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

/** Returns the API's word for a finish reason. An unknown reason stays unchanged. */
export function toChatFinish(reason: FinishReason): string {
  return finishReasons[reason] ?? reason
}
