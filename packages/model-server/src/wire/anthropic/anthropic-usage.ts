import type { FinishReason, Usage } from "../../script/finish.ts"

/** Returns token counts in the fields of the Anthropic API, whose `input_tokens` exclude cached tokens. */
export function toAnthropicUsage({
  inputTokens,
  outputTokens,
  cachedTokens,
  cacheWriteTokens,
  ...more
}: Required<Usage>): unknown {
  return (
    more.raw ?? {
      input_tokens: Math.max(0, inputTokens - cachedTokens - cacheWriteTokens),
      cache_creation_input_tokens: cacheWriteTokens,
      cache_read_input_tokens: cachedTokens,
      output_tokens: outputTokens,
      output_tokens_details: { thinking_tokens: more.reasoningTokens },
    }
  )
}

const stopReasons: Readonly<Record<string, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  "tool-calls": "tool_use",
  "content-filter": "refusal",
}

/** Returns the API's word for a finish reason. An unknown reason stays unchanged. */
export function toStopReason(reason: FinishReason): string {
  return stopReasons[reason] ?? reason
}
