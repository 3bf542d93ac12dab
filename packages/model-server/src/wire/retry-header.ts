/** Returns the header of the OpenAI and Anthropic APIs for the seconds to wait. */
export function retryHeader(retryAfter: number | undefined): Record<string, string> {
  return retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
}
