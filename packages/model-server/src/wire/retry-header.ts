/** Returns the header with the seconds to wait, for the OpenAI and Anthropic APIs. */
export function retryHeader(retryAfter: number | undefined): Record<string, string> {
  return retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
}
