/** The reasons that every wire format has. Any other string is sent unchanged. */
export type FinishReason = "stop" | "length" | "tool-calls" | "content-filter" | (string & {})

/**
 * Token counts of a script. `cachedTokens` (read from the cache) and `cacheWriteTokens` are part of the input and
 * `reasoningTokens` are part of the output, independent of the vendor's own fields.
 */
export interface Usage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly cachedTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
  /** Any JSON value, sent in place of the API's object with the counts. */
  readonly raw?: unknown
}

/** Estimates the tokens for a number of characters: one for four characters. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4)
}
