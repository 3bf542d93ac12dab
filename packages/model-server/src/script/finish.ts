/** The four reasons every wire format knows; any other string is sent as it is. */
export type FinishReason = "stop" | "length" | "tool-calls" | "content-filter" | (string & {})

/**
 * Token counts as a script gives them. `cachedTokens` (read from the cache) and `cacheWriteTokens` are part of the input,
 * `reasoningTokens` part of the output, whatever a vendor's fields overlap.
 */
export interface Usage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly cachedTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
  /** Any JSON value that is sent in place of the API's object with the counts. */
  readonly raw?: unknown
}

/** Tokens for a number of characters, by the usual rule of thumb of four characters a token. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4)
}
