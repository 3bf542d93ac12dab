/** Where the OpenAI and Anthropic APIs tell the seconds to wait. */
export function retryHeader(retryAfter: number | undefined): Record<string, string> {
  return retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
}
