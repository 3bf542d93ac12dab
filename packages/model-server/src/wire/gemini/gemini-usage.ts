import type { FinishReason, Usage } from "../../script/finish.ts"

/** Returns token counts in the fields of the Gemini API, whose candidates exclude thoughts. */
export function toGeminiUsage({
  inputTokens,
  outputTokens,
  cachedTokens,
  reasoningTokens,
  raw,
}: Required<Usage>): unknown {
  return (
    raw ?? {
      promptTokenCount: inputTokens,
      candidatesTokenCount: Math.max(0, outputTokens - reasoningTokens),
      totalTokenCount: inputTokens + outputTokens,
      ...(cachedTokens === 0 ? {} : { cachedContentTokenCount: cachedTokens }),
      ...(reasoningTokens === 0 ? {} : { thoughtsTokenCount: reasoningTokens }),
      promptTokensDetails: [{ modality: "TEXT", tokenCount: inputTokens }],
    }
  )
}

const finishReasons: Readonly<Record<string, string>> = {
  stop: "STOP",
  "tool-calls": "STOP",
  length: "MAX_TOKENS",
  "content-filter": "SAFETY",
}

/** Returns the API's word for a finish reason. An unknown reason stays unchanged. */
export function toFinish(reason: FinishReason): string {
  return finishReasons[reason] ?? reason
}
